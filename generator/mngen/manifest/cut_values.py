"""Values that a comma cut: in ``{A: 0,1}`` YAML reads a key ``1`` without a value."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mngen.diagnostics import Span
from mngen.manifest.node import Node, Scalar


class Entry(Struct, frozen=True):
    """One entry of a map: its key, and its value when that is plain text on the key's line (``None`` else)."""

    key: str
    value: str | None
    line: int


def entry(key: str, place: Span, node: Node) -> Entry:
    """Return an entry as it was read; ``place`` is the key's."""
    value = node.value
    plain = isinstance(value, Scalar) and not value.quoted and place.line == node.span.line == node.span.end_line
    return Entry(key, value.spelling if plain and isinstance(value, Scalar) else None, place.line or 0)


def of_map(node: Node) -> list[Entry]:
    """Return the entries of a map."""
    inside = node.value if isinstance(node.value, dict) else {}
    return [entry(key, child.key_span or child.span, child) for key, child in inside.items()]


def comma_hint(entries: Sequence[Entry], key: str) -> str | None:
    """Return a hint for a key without a value that goes on after the comma of a value in the same line."""
    place = next((number for number, entry in enumerate(entries) if entry.key == key), None)
    if place is None:
        return None
    first, last = place, place
    while first > 0 and entries[first].value == "":
        first -= 1
    while last + 1 < len(entries) and entries[last + 1].value == "":
        last += 1
    run = entries[first : last + 1]
    head = run[0]
    if first == place or not head.value or any(entry.line != head.line for entry in run):
        return None
    whole = ",".join([head.value, *(entry.key for entry in run[1:])])
    return f'a comma ends a value between `{{` and `}}`: write `{head.key}: "{whole}"`'
