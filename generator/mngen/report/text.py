"""Findings as text for people, in the shape of a compiler's.

::

    error[MN101]: unknown key `partiton` in `target`
      --> job.yaml:6:3
       |
     6 |   partiton: gpu
       |   ^^^^^^^^
       = hint: did you mean `partition`?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from mngen.diagnostics import Diagnostic, Severity, Span, sort_key
from mngen.report.glyphs import visible
from mngen.report.snippet import snippet
from mngen.report.style import STYLE_OF, paint

Sources = Mapping[str, Sequence[str]]
"""The lines of every file that a finding may quote, by the name that its spans use."""


def render(diagnostics: Sequence[Diagnostic], sources: Sources, *, color: bool = False) -> str:
    """Return all findings in order of place, a blank line between two; empty text for none."""
    return "\n".join(_finding(diagnostic, sources, color=color) for diagnostic in sorted(diagnostics, key=sort_key))


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the count of findings in words: ``2 errors, 1 warning``; empty text for none."""
    counts = {severity: sum(d.severity is severity for d in diagnostics) for severity in Severity}
    return ", ".join(f"{n} {severity.value}{'s' if n > 1 else ''}" for severity, n in counts.items() if n)


def place(span: Span) -> str:
    """Return a span's start as editors and terminals understand it: ``file:line:column``."""
    parts = [visible(span.file)]
    if span.line is not None:
        parts.append(str(span.line))
        if span.column is not None:
            parts.append(str(span.column))
    return ":".join(parts)


class _Frame(Struct, frozen=True):
    """The left edge of one finding: ``gutter`` is the width of its line numbers."""

    gutter: int
    color: bool

    def edge(self, sign: str, indent: int) -> str:
        return paint(" " * (self.gutter + indent) + sign, "frame", color=self.color)

    def bar(self) -> str:
        return self.edge("|", 2)

    def numbered(self, line: int) -> str:
        return paint(f" {line:>{self.gutter}} |", "frame", color=self.color)

    def note(self, word: str, text: str) -> Iterator[str]:
        first, *rest = text.split("\n")
        yield f"{self.edge('=', 2)} {word}{visible(first)}"
        yield from (" " * (self.gutter + 4 + len(word)) + visible(line) for line in rest)


class _Mark(Struct, frozen=True):
    """How a place is pointed at: the arrow before its name, the sign below it, and words beside the sign."""

    arrow: str
    sign: str
    style: str
    text: str = ""


def _finding(diagnostic: Diagnostic, sources: Sources, *, color: bool) -> str:
    spans = [span for span in (diagnostic.span, *(label.span for label in diagnostic.labels)) if span is not None]
    frame = _Frame(max([1, *(len(str(span.line)) for span in spans if span.line is not None)]), color)
    style = STYLE_OF[diagnostic.severity]
    first, *rest = diagnostic.message.split("\n")
    head = paint(f"{diagnostic.severity.value}[{diagnostic.code}]", style, color=color)
    out = [head + paint(f": {visible(first)}", "bold", color=color)]
    out += [" " * (frame.gutter + 4) + visible(line) for line in rest]
    if diagnostic.span is not None:
        out += _quote(diagnostic.span, sources, frame, _Mark("-->", "^", style))
    for label in diagnostic.labels:
        out += _quote(label.span, sources, frame, _Mark(":::", "-", "frame", label.text))
    if diagnostic.hint:
        out += frame.note("hint: ", diagnostic.hint)
    return "\n".join(out) + "\n"


def _quote(span: Span, sources: Sources, frame: _Frame, mark: _Mark) -> Iterator[str]:
    """Yield the arrow line, and the quoted line with its marks when the source is at hand."""
    yield f"{frame.edge(mark.arrow, 1)} {place(span)}"
    picture = snippet(span, sources.get(span.file, ()))
    if picture is None or span.line is None:
        if mark.text:
            yield from frame.note("", mark.text)
        return
    words = f" {visible(mark.text)}" if mark.text else ""
    yield frame.bar()
    yield f"{frame.numbered(span.line)} {picture.text}".rstrip()
    below = paint(mark.sign * picture.length + words, mark.style, color=frame.color)
    yield f"{frame.bar()} {' ' * picture.offset}{below}"
