"""A task that starts Ray and nothing else never ends."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity

_DRIVERS = frozenset({"python", "python3", "ray job submit", "torchrun", "accelerate", "vllm", "bash", "sh"})


def _check(document: Document) -> Iterator[Found]:
    if document.form not in {Form.DSTACK, Form.SKYPILOT}:
        return
    for script in document.scripts:
        calls = script.calls
        heads = [
            place for place, call in enumerate(calls) if call.program == "ray start" and call.options.has("--head")
        ]
        if heads and not any(call.program in _DRIVERS for call in calls[heads[-1] + 1 :]):
            yield Found(
                calls[heads[-1]].line,
                "this starts Ray but no driver: the run ends by itself only by accident, and training hangs on a "
                "terminal that stays attached",
                "start the driver on the head, and let its exit status be the run's",
            )


RULE = Rule("MN766", Severity.WARNING, _check)
