"""Only text for bash and its kin is read."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import CHECKED, Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    if document.interpreter and document.form in CHECKED:
        rest = "; only its #SBATCH lines were" if document.form is Form.SBATCH else ""
        yield Found(
            1,
            f"the commands of this file are for {document.interpreter} and were not checked{rest}",
            "nothing needs to be done; scripts for sh, bash, dash and ksh are checked whole",
            at=document.interpreter,
        )


RULE = Rule("MN900", Severity.NOTE, _check)
