"""A privileged container is root on the node."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("docker run", "podman run"):
        if call.options.has("--privileged"):
            yield Found(
                call.line,
                "`--privileged` makes the container root on the node, and shows it every GPU, whatever the job "
                "was given",
                "name the devices: `--device /dev/kfd --device /dev/dri` or `--gpus`, with `--cap-add` for what "
                "is missing",
            )


RULE = Rule("MN779", Severity.ERROR, _check)
