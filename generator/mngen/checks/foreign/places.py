"""Finds the words in a line that a finding is about, so that its place has columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.document import Found
from mngen.diagnostics import Span

_QUOTED = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"\$?\{?\b[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:=\S*[^\s:;,.])?")


def span_of(found: Found, file: str, lines: Sequence[str]) -> Span:
    """Return the place of a finding: the words that it names or quotes, else its whole line."""
    number = min(max(found.line, 1), max(len(lines), 1))
    line = lines[number - 1] if lines else ""
    for words in _words(found):
        start = line.find(words)
        if start >= 0:
            return Span(file, number, start + 1, number, start + 1 + len(words))
    return line_span(file, number, line)


def line_span(file: str, number: int, line: str) -> Span:
    """Return the place of a whole line, without its indentation."""
    start = len(line) - len(line.lstrip())
    end = max(len(line.rstrip()), start + 1)
    return Span(file, number, start + 1, number, end + 1)


def _words(found: Found) -> Iterator[str]:
    if found.at:
        yield found.at
    yield from _QUOTED.findall(found.message)
    yield from _NAME.findall(found.message)
