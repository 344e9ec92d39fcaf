"""What the first line of a script says of the program that runs it."""

from __future__ import annotations

import re

_SHELLS = frozenset({"sh", "bash", "dash", "ksh", "ash"})
_SHEBANG = re.compile(r"^#!\s*(\S+)(?:\s+(.*))?$")
_SPLIT = re.compile(r"^(?:-S|--split-string[= ])\s*")
"""The option of ``env`` that makes words of the rest of the line, which Linux hands over as one argument."""


def interpreter(text: str) -> str:
    """Return the name of the program that the first line asks for (``bash``, ``zsh``), or an empty text."""
    words = _words(text)
    return words[0].rsplit("/", 1)[-1] if words else ""


def options(text: str) -> tuple[str, ...]:
    """Return the words that the first line hands to that program: ``-euo pipefail``."""
    return _words(text)[1:]


def is_shell(program: str) -> bool:
    """Tell whether a program reads what bash reads, as far as the checks go."""
    return program in _SHELLS


def _words(text: str) -> tuple[str, ...]:
    """Return the program and its words, without an ``env`` in front of them and what that is told."""
    match = _SHEBANG.match(text.split("\n", 1)[0])
    if match is None:
        return ()
    rest = match.group(2) or ""
    if match.group(1).rsplit("/", 1)[-1] != "env":
        return (match.group(1), *rest.split())
    words = _SPLIT.sub("", rest).split()
    while words and (words[0].startswith("-") or "=" in words[0]):
        del words[0]
    return tuple(words)
