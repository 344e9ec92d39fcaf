"""A YAML document as a tree that remembers where everything was written and how it was spelled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from mngen.diagnostics import Span


class Scalar(Struct, frozen=True):
    """A leaf: ``spelling`` is the text as written, ``value`` its YAML 1.2 core meaning.

    ``quoted`` tells whether quotes or a block made it text.
    """

    spelling: str
    value: str | int | float | bool | None
    quoted: bool = False
    literal_block: bool = False
    """True for a ``|`` block, whose lines map one to one to the file's."""


class Node(Struct, frozen=True):
    """A value of the document: a map, a list or a :class:`Scalar`, with its span and its key's.

    A map is a ``dict`` that nobody changes: to ask which of the three a value is takes several times as long for an
    abstract ``Mapping``, and every reader asks at each step.
    """

    value: dict[str, Node] | tuple[Node, ...] | Scalar
    span: Span
    key_span: Span | None = None
    layer: str = "manifest"
    """What it came from: ``manifest``, ``target``, ``site``, ``overlay`` or ``--set``."""


Plain: TypeAlias = "Mapping[str, Plain] | list[Plain] | str | int | float | bool | None"


def plain(node: Node) -> Plain:
    """Return the typed data of a node, as a JSON document would hold it."""
    if isinstance(node.value, Scalar):
        return node.value.value
    if isinstance(node.value, tuple):
        return [plain(item) for item in node.value]
    return {key: plain(item) for key, item in node.value.items()}


def child(node: Node | None, key: str) -> Node | None:
    """Return the value of a key, or ``None`` when there is no such key or no map."""
    return node.value.get(key) if node is not None and isinstance(node.value, dict) else None


def nearest_span(spans: Mapping[str, Span], path: str) -> Span | None:
    """Return the place of a field, or of its nearest ancestor that was written; ``spans`` are by dotted path."""
    while path:
        if path in spans:
            return spans[path]
        path = path.rpartition(".")[0]
    return spans.get("")


def at(node: Node, path: tuple[str | int, ...]) -> Node:
    """Return the node at a path of keys and indices, or the nearest ancestor that exists."""
    for step in path:
        child: Node | None = None
        if isinstance(node.value, tuple):
            if isinstance(step, int) and 0 <= step < len(node.value):
                child = node.value[step]
        elif isinstance(node.value, dict):
            child = node.value.get(str(step))
        if child is None:
            return node
        node = child
    return node
