"""A <word> in a value is a gap that the reader was meant to fill."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_GAP = re.compile(r"<[a-z][a-z _-]*>")
_FOR_PEOPLE = {"echo", "printf", "grep", "sed", "awk", "python3", "python"}
"""Programs whose arguments may well hold such a text."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for command in script.commands:
            values = [assign.value for assign in command.assigns] or list(command.words[1:])
            for word in values:
                match = _GAP.search(word.text)
                if match and "\n" not in word.text and command.name not in _FOR_PEOPLE:
                    yield Found(
                        word.line,
                        f"`{match.group()}` was never filled in, and reaches the program as it is",
                        "write the value, or take it from a variable that stops the script when it is unset: ${NAME:?}",
                    )


RULE = Rule("MN702", Severity.ERROR, _check)
