"""Everybody on a node can read the arguments of its processes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_SECRET = re.compile(r"\$\{?(\w*(?:API_KEY|_KEY|TOKEN|SECRET|PASSWORD|PASSWD))\b", re.IGNORECASE)
_NOT_THE_VALUE = re.compile(r"\$\{\w+:?\+(?:[^${}]|\$(?!\{))*\}")
"""``${NAME:+words}`` stands for the words, not for the value."""
_BUILTIN = {"export", "[", "[[", "test", ":", "printf", "declare", "local", "readonly", "unset", "case", "read"}


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for command in script.commands:
            if command.name in _BUILTIN or not command.words:
                continue
            for word in command.words[1:]:
                match = _SECRET.search(_NOT_THE_VALUE.sub("", word.text))
                if match and not word.raw.startswith("'") and "\n" not in word.text and ":?" not in word.text:
                    yield Found(
                        word.line,
                        f"the value of {match.group(1)} stands on a command line: every user of the node can read it, "
                        "and logs keep it",
                        "leave it in the environment, where the program looks for it (`-e NAME` without a value for a "
                        "container), or in a file of mode 600",
                    )


RULE = Rule("MN783", Severity.ERROR, _check)
