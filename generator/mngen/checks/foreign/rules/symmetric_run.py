"""ray symmetric-run hides a failed start."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("ray symmetric-run"):
        yield Found(
            call.line,
            "`ray symmetric-run` ends with 0 when `ray start` fails, counts dead nodes, and stops every Ray of "
            "the user",
            "start head and workers with `ray start --block`, and check nodes and GPUs before the driver",
        )


RULE = Rule("MN764", Severity.WARNING, _check)
