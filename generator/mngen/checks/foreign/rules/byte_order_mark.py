"""Behind a byte order mark the first line is no shebang any more."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    if document.marked and document.form in {Form.BASH, Form.SBATCH, Form.APPTAINER}:
        yield Found(
            1,
            "the file begins with a byte order mark, so its first line does not begin with what stands there: "
            "neither the kernel nor sbatch sees a `#!`",
            "save it as UTF-8 without byte order mark",
        )


RULE = Rule("MN799", Severity.ERROR, _check)
