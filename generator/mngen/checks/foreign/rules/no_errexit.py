"""Without errexit a script goes on after a failed step."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    if document.form is Form.DSTACK:
        return  # it joins the commands with `&&`; what that means for a block is another rule's
    for script in document.scripts:
        if len(script.top) < 3 or script.section.startswith("%") or script.option("e", "errexit"):
            continue
        if not script.launches and not (script.section and script.called("git", "pip", "pip3", "uv")):
            continue
        yield Found(
            script.top[0].line,
            "nothing stops this script when a step fails: it goes on, and holds the nodes",
            "begin with `set -euo pipefail`",
        )


RULE = Rule("MN711", Severity.WARNING, _check)
