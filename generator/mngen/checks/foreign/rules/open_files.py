"""Ray needs more open files than a shell gets by default."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        starts = script.called("ray start")
        if starts and "ulimit -n" not in script.text and "--ulimit" not in script.text:
            yield Found(
                starts[0].line,
                "the limit of open files stays at the default, often 1024: Ray fails with many actors",
                'raise the soft limit up to the hard one before the start: `ulimit -n "$(ulimit -Hn)"`',
            )


RULE = Rule("MN747", Severity.NOTE, _check)
