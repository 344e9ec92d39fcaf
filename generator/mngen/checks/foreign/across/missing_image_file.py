"""A page or script names an image file that is not there any more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.across.rule import RuleAcross
from mngen.checks.foreign.document import Document, Form, Found
from mngen.checks.foreign.places import span_of
from mngen.diagnostics import Diagnostic, Severity

_NAMED = re.compile(r"(?<![\w.:/-])((?:[\w.-]+/)*(?:Dockerfile|Containerfile)(?:\.[\w-]+)+)(?![\w/-])")
"""A name with a suffix: a bare `Dockerfile` may mean any."""
_READ_FOR_NAMES = (Form.PAGE, Form.BASH, Form.SBATCH, Form.DOCKERFILE)


def _check(documents: Sequence[Document]) -> Iterator[Diagnostic]:
    known = {item.file.rpartition("/")[2] for item in documents if item.form is Form.DOCKERFILE}
    for document in documents:
        if document.form not in _READ_FOR_NAMES or not known - {document.file.rpartition("/")[2]}:
            continue
        for number, line in enumerate(document.lines, start=1):
            for match in _NAMED.finditer(line):
                name = match.group(1).rpartition("/")[2]
                if name not in known and not name.endswith((".dockerignore", ".j2", ".template", ".md")):
                    yield _finding(document, number, match.group(1))


def _finding(document: Document, number: int, name: str) -> Diagnostic:
    found = Found(
        number,
        f"`{name}` is none of the files that were given",
        "correct the name, or give that file in the same call if it is elsewhere",
    )
    span = span_of(found, document.file, document.lines)
    return Diagnostic("MN908", Severity.WARNING, found.message, span, found.hint)


RULE = RuleAcross("MN908", _check)
