"""Behind a byte order mark the first line is no shebang any more."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity

_NO_SHEBANG = "neither the kernel nor sbatch sees a `#!`"
_HARM = {
    Form.BASH: _NO_SHEBANG,
    Form.SBATCH: _NO_SHEBANG,
    Form.APPTAINER: "Apptainer does not know the first key",
}


def _check(document: Document) -> Iterator[Found]:
    harm = _HARM.get(document.form) if document.marked else None
    if harm is not None:
        yield Found(
            1,
            f"the file begins with a byte order mark, so its first line does not begin with what stands there: {harm}",
            "save it as UTF-8 without byte order mark",
        )


RULE = Rule("MN799", Severity.ERROR, _check)
