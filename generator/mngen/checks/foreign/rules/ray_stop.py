"""ray stop ends every Ray of the user on the node."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("ray stop"):
        yield Found(
            call.line,
            "`ray stop` stops every Ray process of this user on the node, also those of other jobs",
            "stop the process that this job started: keep the id of `ray start --block` and signal it",
        )


RULE = Rule("MN762", Severity.WARNING, _check)
