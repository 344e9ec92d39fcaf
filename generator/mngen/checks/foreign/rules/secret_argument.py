"""Everybody on a node can read the arguments of its processes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity
from mngen.manifest.token_shapes import named_like_model_token

_METADATA = "169.254.169.254"
"""The metadata service of a cloud's machine: its tokens are of no use elsewhere."""
_FUNCTION = re.compile(r"^\s*(?:function\s+)?([\w-]+)\s*\(\)", re.MULTILINE)
_SECRET = re.compile(
    r"\$\{?((?!PUBLIC|\w*_PUBLIC)\w*(?:(?:API|ACCESS|SECRET|PRIVATE|AUTH)_KEY|TOKEN|SECRET|PASSWORD|PASSWD))\b",
    re.IGNORECASE,
)
_NOT_THE_VALUE = re.compile(r"\$\{\w+:?\+(?:[^${}]|\$(?!\{))*\}")
"""``${NAME:+words}`` stands for the words, not for the value."""
_BUILTIN = {"export", "[", "[[", "test", ":", "printf", "declare", "local", "readonly", "unset", "case", "read"}


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        functions = set(_FUNCTION.findall(script.text))
        for command in script.commands:
            if command.name in _BUILTIN or not command.words or command.name in functions:
                continue
            if _handed_on(command) or any(_METADATA in word.text for word in command.words):
                continue
            for word in command.words[1:]:
                name = _named(word.text)
                if name and not word.raw.startswith("'") and "\n" not in word.text and ":?" not in word.text:
                    shown = "is written to the log, which others can read"
                    read = "stands on a command line: every user of the node can read it, and logs keep it"
                    yield Found(
                        word.line,
                        f"the value of {name} {shown if command.name == 'echo' else read}",
                        "leave it in the environment, where the program looks for it (`-e NAME` without a value for a "
                        "container), or in a file of mode 600",
                    )


def _handed_on(command: Command) -> bool:
    """Tell whether a builtin of the shell prints for a program or a file: no process has its arguments, and no log."""
    return command.name == "echo" and (command.after == "|" or command.silent)


def _named(text: str) -> str | None:
    """Return the first variable in a word that is named like a secret."""
    names = (match.group(1) for match in _SECRET.finditer(_NOT_THE_VALUE.sub("", text)))
    return next((name for name in names if not named_like_model_token(name)), None)


RULE = Rule("MN783", Severity.ERROR, _check)
