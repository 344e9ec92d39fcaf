"""dstack runs the commands of an image with sh unless told otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity

_OF_BASH = re.compile(
    r"\[\[ |\bpipefail\b|\b\w+=\(|<\(|&>|\|&|<<<|\$\{\w+(?:\[|//|\^|,|@)|\[ [^]]*==|\bsource |"
    r"(?<!\$)\(\(|\{\d+\.\.\d+\}"
)
"""What bash reads and dash does not."""


def _check(document: Document) -> Iterator[Found]:
    commands = document.get("commands")
    if document.form is not Form.DSTACK or commands is None or document.get("image") is None:
        return
    if document.get("shell") is not None:
        return
    for number, line in enumerate(document.lines[commands.line - 1 :], start=commands.line):
        match = _OF_BASH.search(line) if not line.lstrip().startswith("#") else None
        if match is not None:
            yield Found(
                number,
                f"with an image the commands run in /bin/sh, often dash, where `{match.group().strip()}` is no syntax "
                "or means something else",
                "add `shell: bash`",
            )
            return


RULE = Rule("MN794", Severity.WARNING, _check)
