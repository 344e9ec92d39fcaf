"""A script with the line ends of Windows is refused by sbatch, and fails in bash."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity

_READ_BY_A_SHELL = {
    Form.SBATCH: "sbatch refuses a script with such line ends",
    Form.BASH: "the shell takes the carriage return for a part of the line's last word",
    Form.APPTAINER: "the shell that runs the sections takes the carriage return for a part of the line's last word",
}
"""YAML and Dockerfile readers drop the carriage return themselves."""


def _check(document: Document) -> Iterator[Found]:
    if document.crlf is not None and document.form in _READ_BY_A_SHELL:
        yield Found(
            document.crlf,
            f"the line ends with CR LF, as on Windows: {_READ_BY_A_SHELL[document.form]}",
            f"convert the file, with `dos2unix {document.file}` or the line-end setting of the editor; for git, "
            "`*.sh text eol=lf` in .gitattributes keeps it so",
        )


RULE = Rule("MN798", Severity.ERROR, _check)
