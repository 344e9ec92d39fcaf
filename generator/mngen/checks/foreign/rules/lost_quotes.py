"""The shell takes the quotes of an unquoted list away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_LIST = re.compile(r"^[\w.+~-]+=\[.*['\"].*\]$")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for command in script.commands:
            for word in command.words[1:]:
                if _LIST.match(word.raw):
                    yield Found(
                        word.line,
                        f"the program gets `{word.text}`: the shell removes the inner quotes, and `[…]` is a "
                        "glob pattern",
                        f"quote the whole argument: '{word.raw.replace(chr(39), chr(34))}'",
                    )


RULE = Rule("MN725", Severity.WARNING, _check)
