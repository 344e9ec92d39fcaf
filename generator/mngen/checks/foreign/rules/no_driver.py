"""A task that starts Ray and nothing else never ends."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    if document.form not in {Form.DSTACK, Form.SKYPILOT}:
        return
    for script in document.scripts:
        heads = [call for call in script.called("ray start") if call.options.has("--head")]
        if not heads:
            continue
        after = [call for call in script.calls if call.line > heads[-1].line]
        drivers = {"python", "python3", "ray job submit", "torchrun", "bash"}
        if not any(call.program in drivers for call in after):
            yield Found(
                heads[-1].line,
                "this starts Ray but no driver: the run ends by itself only by accident, and training hangs on a "
                "terminal "
                "that stays attached",
                "start the driver on the head, and let its exit status be the run's",
            )


RULE = Rule("MN766", Severity.WARNING, _check)
