"""A kill by name hits other jobs."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("pkill", "killall"):
        yield Found(
            call.line,
            f"`{call.program}` ends every process of that name on the node, whoever started it",
            "keep the ids of what this job starts, and signal those",
        )


RULE = Rule("MN763", Severity.WARNING, _check)
