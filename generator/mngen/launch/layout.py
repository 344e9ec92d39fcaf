"""Lines of readable length from many shell words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from mngen.plan import Raw

WIDTH = 108
_BEGINS = r"\$?[\"']?(?:-[A-Za-z]{2}|--|[+~]{0,2}[A-Za-z_][\w./-]*=)"
"""An option or a setting, quoted or not; ``-m`` and ``-u`` stay with the program."""


def wrap(words: Iterable[str], *, indent: int = 4) -> tuple[Raw, ...]:
    """Fill lines with words, for the inside of an array literal; a word is never split."""
    lines: list[str] = []
    for item in words:
        if lines and "\n" not in item and len(lines[-1]) + 1 + len(item) + indent <= WIDTH:
            lines[-1] += " " + item
        else:
            lines.append(item)
    return tuple(Raw(line) for line in lines)


def continued(words: Iterable[str], *, indent: int = 6, used: int = 0) -> Raw:
    """One command's words over several lines with backslashes; ``used`` columns of the first line are taken."""
    lines: list[str] = []
    room = WIDTH - used
    for item in words:
        if lines and len(lines[-1]) + 1 + len(item) <= room:
            lines[-1] += " " + item
            continue
        if lines:
            room = WIDTH - indent
        lines.append(item)
    return Raw((" \\\n" + " " * indent).join(lines))


def command_lines(words: Sequence[Raw], *, indent: int) -> Raw:
    """Lay a command's words out for an array: on one line, or a long one with each option or setting on its own."""
    if sum(len(word) + 1 for word in words) <= WIDTH - indent:
        return Raw(" ".join(words))
    lines: list[list[str]] = []
    for word in words:
        if not lines or re.match(_BEGINS, word):
            lines.append([word])
        else:
            lines[-1].append(word)
    return Raw(("\n" + " " * indent).join(" ".join(line) for line in lines))
