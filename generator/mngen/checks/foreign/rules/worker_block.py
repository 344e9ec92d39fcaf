"""A worker's start returns at once, and its job goes on without it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.called("ray start"):
            if call.options.has("--address") and call.lacks("--block"):
                yield Found(
                    call.line,
                    "without `--block` this returns at once: the worker's processes are left alone, or are killed with "
                    "the step, and their death goes unseen",
                    "give it `--block`, and let the node's script end when the head does",
                )


RULE = Rule("MN758", Severity.WARNING, _check)
