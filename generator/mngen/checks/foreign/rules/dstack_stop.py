"""A run of several nodes waits for its workers unless told otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    nodes, kind = document.get("nodes"), document.get("type")
    if kind is not None and kind.text != "task":
        return
    if document.form is not Form.DSTACK or nodes is None or nodes.text in {None, "1"}:
        return
    if document.get("stop_criteria") is None:
        yield Found(
            nodes.line,
            "the run ends only when every node has ended, so workers that wait for the head keep it alive",
            "add `stop_criteria: master-done`",
        )


RULE = Rule("MN795", Severity.WARNING, _check)
