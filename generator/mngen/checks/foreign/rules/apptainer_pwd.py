"""The working folder inside is the host's, if it exists there."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("apptainer exec", "apptainer run"):
        if call.lacks("--pwd", "--cwd"):
            yield Found(
                call.line,
                "the command starts in the caller's folder if the container has it, else in the home folder",
                "bind every folder that is needed and pass `--pwd`",
            )


RULE = Rule("MN773", Severity.NOTE, _check, choice=True)
