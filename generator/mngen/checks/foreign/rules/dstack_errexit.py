"""dstack joins commands with &&, which turns errexit off inside blocks."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    commands = document.get("commands")
    if document.form is not Form.DSTACK or commands is None:
        return
    for item in commands.entries:
        text = (item.text or "").strip().replace("\\\n", " ")
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
        if len(lines) > 2 and not lines[0].startswith(("set -e", "bash ")):
            yield Found(
                item.first_line,
                "the items are joined with `&&`, so inside this block a failing line does not stop the next one",
                "carry the script as a file (`files:`) and run it with one command, `bash boot.sh`",
            )


RULE = Rule("MN796", Severity.WARNING, _check)
