"""What the first line of a script says of the program that runs it."""

from __future__ import annotations

import re

_SHELLS = frozenset({"sh", "bash", "dash", "ksh", "ash"})
_SHEBANG = re.compile(r"^#!\s*(\S+)(?:\s+(.*))?$")


def interpreter(text: str) -> str:
    """Return the name of the program that the first line asks for (``bash``, ``zsh``), or an empty text."""
    match = _SHEBANG.match(text.split("\n", 1)[0])
    if match is None:
        return ""
    program = match.group(1).rsplit("/", 1)[-1]
    if program != "env":
        return program
    words = [word for word in (match.group(2) or "").split() if not word.startswith("-") and "=" not in word]
    return words[0].rsplit("/", 1)[-1] if words else ""


def is_shell(program: str) -> bool:
    """Tell whether a program reads what bash reads, as far as the checks go."""
    return program in _SHELLS
