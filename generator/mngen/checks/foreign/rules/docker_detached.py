"""A detached container belongs to the daemon, not to the job."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script, call in document.called("docker run", "podman run"):
        if call.options.has("--detach") and not call.options.has("--restart"):
            yield Found(
                call.line,
                "a detached container is outside the job's limits, and keeps its GPUs after the job has ended",
                "run it in the foreground (`--rm --init`, no `-d`) as the step itself, and stop it by name in a trap",
                None if script.of_a_cluster else Severity.NOTE,
            )


RULE = Rule("MN778", Severity.ERROR, _check)
