"""The quoted line under a message, with carets below the place that is meant."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mngen.diagnostics import Span
from mngen.report.glyphs import visible_character, width

MAX_COLUMNS = 140
"""Longer lines are cut around the carets: driver arguments easily run to thousands of characters."""

_CONTEXT = 40
_CUT = "…"
_MEASURED = 4 * MAX_COLUMNS
"""Characters of a longer line that are looked at: each of thousands of findings may be in the same one."""


class Snippet(Struct, frozen=True):
    """A source line ready to print, and the blanks and marks below it, in terminal columns."""

    text: str
    offset: int
    length: int


def snippet(span: Span, lines: Sequence[str]) -> Snippet | None:
    """Return the line a span starts on, with the place to mark; ``None`` when the line is not known."""
    if span.line is None or not 1 <= span.line <= len(lines):
        return None
    source = lines[span.line - 1].rstrip("\r\n")
    start, end = _extent(span, source)
    skipped = max(0, start - _CONTEXT) if len(source) > _MEASURED and start > MAX_COLUMNS - _CONTEXT else 0
    start, end = start - skipped, end - skipped
    shown = [visible_character(character) for character in source[skipped : skipped + _MEASURED]]
    first, last = _window(shown, start, end)
    head = _CUT if first or skipped else ""
    before = head + "".join(shown[first:start])
    marked = "".join(shown[start : min(end, last)])
    after = "".join(shown[max(start, min(end, last)) : last]) + (_CUT if skipped + last < len(source) else "")
    text = (before + marked + after).rstrip()
    return Snippet(text=text, offset=width(before), length=max(1, width(marked)))


def _extent(span: Span, source: str) -> tuple[int, int]:
    """Return the marked part of the first line as a half-open range of character indices."""
    length = len(source)
    if span.column is None:
        return length - len(source.lstrip()), length
    start = min(max(span.column - 1, 0), length)
    if span.end_line is not None and span.line is not None and span.end_line > span.line:
        return start, length
    end = (span.end_column or span.column + 1) - 1
    return start, min(max(end, start + 1), max(length, start + 1))


def _window(shown: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """Return the part of a line to print: all of a short one, else some characters around the marks."""
    total = sum(width(piece) for piece in shown)
    if total <= MAX_COLUMNS:
        return 0, len(shown)
    first = max(0, start - _CONTEXT)
    if start <= MAX_COLUMNS - _CONTEXT:
        first = 0
    last, used = first, 0
    while last < len(shown) and used + width(shown[last]) <= MAX_COLUMNS:
        used += width(shown[last])
        last += 1
    return first, max(last, min(end, first + 1))
