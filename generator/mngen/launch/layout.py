"""Lines of readable length from many shell words."""

from __future__ import annotations

from collections.abc import Iterable

from mngen.plan import Raw

WIDTH = 108


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
