"""Finds the words in a line that a finding is about, so that its place has columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.document import Found
from mngen.diagnostics import Span

_QUOTED = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"\$?\{?\b[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:=\S*[^\s:;,.])?")
_OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]+")


def span_of(found: Found, file: str, lines: Sequence[str]) -> Span:
    """Return the place of a finding: the words that it names or quotes, else its whole line.

    The words may stand further down in the same command, on a line that a backslash continues.
    """
    number = min(max(found.line, 1), max(len(lines), 1))
    if found.column:
        return Span(file, number, found.column, number, found.column + len(found.at))
    command = list(_continued(lines, number))
    for words in _words(found):
        for place, line in command:
            start = line.find(words)
            if start >= 0:
                return Span(file, place, start + 1, place, start + 1 + len(words))
    return line_span(file, number, lines[number - 1] if lines else "")


def line_span(file: str, number: int, line: str) -> Span:
    """Return the place of a whole line, without its indentation."""
    start = len(line) - len(line.lstrip())
    end = max(len(line.rstrip()), start + 1)
    return Span(file, number, start + 1, number, end + 1)


def _continued(lines: Sequence[str], number: int) -> Iterator[tuple[int, str]]:
    """Yield a line with its number, and the ones that continue it."""
    for place in range(number, len(lines) + 1):
        line = lines[place - 1]
        yield place, line
        if not line.rstrip().endswith("\\"):
            return


def _words(found: Found) -> Iterator[str]:
    if found.at:
        yield found.at
    yield from _QUOTED.findall(found.message)
    yield from _NAME.findall(found.message)
    yield from _OPTION.findall(found.message)
