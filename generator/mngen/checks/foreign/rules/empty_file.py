"""A file whose name says its kind, and that holds nothing."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.emptiness import has_nothing
from mngen.diagnostics import Severity

_REFUSED = (Form.SBATCH, Form.SKYPILOT, Form.DSTACK, Form.DOCKERFILE, Form.APPTAINER)
"""Kinds of which an empty one does nothing, or is refused; an empty shell file may be sourced."""


def _check(document: Document) -> Iterator[Found]:
    if document.form in _REFUSED and has_nothing(document.text):
        what = "holds nothing but comments" if document.text.strip() else "is empty"
        yield Found(
            1,
            f"this {document.form.value} {what}",
            "write what it is to do, or remove it; if it was copied, look whether the copy was cut off",
        )


RULE = Rule("MN927", Severity.WARNING, _check)
