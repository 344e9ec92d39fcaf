"""apptainer run starts what the image chooses."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("apptainer run"):
        if len(call.options.operands) > 1:
            yield Found(
                call.line,
                "`apptainer run` hands the command to the image's runscript, which may ignore or change it",
                "use `apptainer exec IMAGE COMMAND`",
            )


RULE = Rule("MN770", Severity.WARNING, _check)
