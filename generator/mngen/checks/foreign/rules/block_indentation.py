"""The text of a block that begins at the column of its dash is no part of it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    problem = document.yaml_problem
    if problem is not None and problem.indentation:
        yield Found(
            problem.line,
            "the text under `- |` begins at the column of the dash, so YAML takes it for the next key and stops",
            "indent the whole block by two more blanks than its dash",
        )


RULE = Rule("MN701", Severity.ERROR, _check)
