"""A prune on a shared node deletes what other users need."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("docker", "podman"):
        if "prune" in call.texts[:2]:
            yield Found(
                call.line,
                f"`{call.program} {' '.join(call.texts[:2])}` deletes images, containers or caches of every user "
                "of the node",
                "leave that to the node's administrators",
            )


RULE = Rule("MN774", Severity.ERROR, _check)
