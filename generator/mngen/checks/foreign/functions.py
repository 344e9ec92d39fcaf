"""The functions of a script, and which of them anybody calls."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from mngen.checks.foreign.words import Command

NAMING = frozenset({"export", "declare", "typeset", "unset", "echo", "printf"})
"""What names a function without a call."""
_NAME = re.compile(r"[^\s;&|()<>'\"`$]+")


def called_functions(commands: Sequence[Command]) -> frozenset[str]:
    """Name the functions that are called, by a command outside all of them or by one that is called itself."""
    bodies: dict[str, list[Command]] = {}
    for command in commands:
        bodies.setdefault(command.holder, []).append(command)
    names = set(bodies) - {""}
    called: set[str] = set()
    waiting = [""]
    while waiting and names:
        found = mentioned(bodies[waiting.pop()], names)
        called |= found
        names -= found
        waiting += found
    return frozenset(called)


def mentioned(commands: Iterable[Command], names: Collection[str]) -> set[str]:
    """Return which of these names stand in commands, also in a text for another shell: ``trap``, ``bash -c``."""
    words = (word.text for command in commands if command.name not in NAMING for word in command.words)
    return {name for text in words for name in _NAME.findall(text)}.intersection(names)
