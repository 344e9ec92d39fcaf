"""On which lines of a file the characters of a text stand that was taken out of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from msgspec import Struct

_WORD = re.compile(r"\S")


class Lines(Struct, frozen=True):
    """From the character ``starts[n]`` on a text stands on the line ``numbers[n]``, up to the next one."""

    starts: tuple[int, ...]
    numbers: tuple[int, ...]

    def at(self, offset: int) -> int:
        """Return the line of a character."""
        return self.numbers[bisect_right(self.starts, offset) - 1]

    def start(self, offset: int) -> int:
        """Return the first character of those that stand on one line with this one."""
        return self.starts[bisect_right(self.starts, offset) - 1]

    @property
    def last(self) -> int:
        """The line of the last character."""
        return self.numbers[-1]


Place = int | Lines
"""Where a text stands: the number of its first line, if its line breaks are those of the file, or the lines."""


def lines_of(text: str, place: Place, last: int | None = None) -> Lines:
    """Return the lines of a text at a place; none is beyond ``last``."""
    if isinstance(place, Lines):
        return place
    starts = [0]
    while (end := text.find("\n", starts[-1])) >= 0:
        starts.append(end + 1)
    numbers = range(place, place + len(starts))
    return Lines(tuple(starts), tuple(numbers) if last is None else tuple(min(number, last) for number in numbers))


def matched(text: str, lines: Iterable[tuple[int, str]], first: int) -> Lines:
    """Return the lines of a text that is made of these, with other blanks between them (a folded scalar of YAML).

    From the first one on that is written otherwise in the text, with an escape for instance, nothing tells the line.
    """
    starts, numbers, at = [0], [first], 0
    for number, line in lines:
        word = _WORD.search(text, at)
        begin = word.start() if word is not None else len(text)
        if line and not text.startswith(line, begin):
            break
        if line and begin:
            starts.append(begin)
            numbers.append(number)
        at = begin + len(line)
    return Lines(tuple(starts), tuple(numbers))
