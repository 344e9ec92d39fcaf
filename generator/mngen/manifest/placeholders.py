"""The one placeholder form, ``${{ NAME }}``: where it stands in a text, and when each name is known.

``$${{`` writes a literal ``${{``. Everything else (``$X``, ``${a.b}``, backticks, ``{{ }}``) is not looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from mngen.diagnostics import Span
from mngen.manifest.node import Node, Scalar
from mngen.manifest.text import Phase

RENDER_NAMES = ("nodes", "gpus", "total_gpus", "name", "target", "variant")
NODE_NAMES = ("node_rank", "job_id", "attempt", "uid", "gid", "job_dir")
CLUSTER_NAMES = ("head_ip", "head_address", "node_ip")

# An opening may be doubled to write it literally; a placeholder ends at the first `}}` of its line.
_OPENING = re.compile(r"\$\$\{\{|\$\{\{(?P<body>[^\n]*?)\}\}|\$\{\{")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One placeholder of a text: its name (``None`` when it holds no name), its spelling, its number in the text."""

    name: str | None
    spelling: str
    index: int
    closed: bool = True


@lru_cache(maxsize=1024)  # all targets read the texts of the manifest's top level
def split(text: str) -> tuple[str | Placeholder, ...]:
    """Split a text into literal parts, with ``$${{`` undone, and placeholders.

    >>> split("a/${{ job_id }}")
    ('a/', Placeholder(name='job_id', spelling='${{ job_id }}', index=0, closed=True))
    """
    if "${{" not in text:
        return (text,) if text else ()
    parts: list[str | Placeholder] = []
    done = 0
    for index, found in enumerate(_OPENING.finditer(text)):
        before = text[done : found.start()]
        done = found.end()
        if found.group().startswith("$$"):
            parts.append(before + "${{")
            continue
        if before:
            parts.append(before)
        body = found["body"]
        name = body.strip() if body is not None else ""
        parts.append(
            Placeholder(name if _NAME.fullmatch(name) else None, found.group(), index, closed=body is not None)
        )
    if done < len(text):
        parts.append(text[done:])
    return tuple(parts)


def tighten(text: str) -> str:
    """Remove the blanks inside placeholders, so that splitting at blanks keeps them whole."""

    def tight(found: re.Match[str]) -> str:
        return found.group() if found["body"] is None else "${{" + found["body"].strip() + "}}"

    return _OPENING.sub(tight, text)


def locate(node: Node, index: int, lines: tuple[str, ...]) -> Span:
    """Return the place of the ``index``-th opening (doubled ones count) inside a scalar, or the scalar's own.

    ``lines`` are the lines of the node's file. An opening that was written with escapes is not found.
    """
    span = node.span
    if span.line is None or span.column is None or not isinstance(node.value, Scalar):
        return span
    last = span.end_line or span.line
    count = -1
    for number in range(span.line, min(last, len(lines)) + 1):
        line = lines[number - 1]
        start = span.column - 1 if number == span.line else 0
        end = (span.end_column or 1) - 1 if number == last else len(line)
        for found in _OPENING.finditer(line, start, max(end, start)):
            count += 1
            if count == index:
                return Span(span.file, number, found.start() + 1, number, found.end() + 1)
    return span


def count_openings(text: str) -> int:
    """Return how many placeholders and doubled openings a text holds."""
    return len(_OPENING.findall(text))


def phase_of(name: str) -> Phase:
    """Return when the value of a placeholder that is left for run time is known."""
    return Phase.CLUSTER if name in CLUSTER_NAMES or name.startswith("services.") else Phase.NODE


def holds_placeholder(text: str) -> bool:
    """Tell whether a text holds a placeholder, well formed or not."""
    return "${{" in text and any(isinstance(part, Placeholder) for part in split(text))
