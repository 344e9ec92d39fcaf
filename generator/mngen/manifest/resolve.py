"""Put in what is known at render time, so that the schema also judges values that placeholders make."""

from __future__ import annotations

from operator import is_
from typing import TypeAlias

from msgspec.structs import replace

from mngen.manifest.node import Node, Scalar
from mngen.manifest.placeholders import holds_placeholder
from mngen.manifest.scalars import quoted_scalar
from mngen.manifest.scope import Scope
from mngen.manifest.text import Phase

UNTOUCHED = ("raw",)
"""Fields of a target in which nothing is interpolated."""


Marked: TypeAlias = dict[int, tuple[Node, bool]]
"""Maps and lists by identity, with whether they hold a placeholder; holding a node keeps its identity its own."""


def resolved(node: Node, scope: Scope, marked: Marked) -> Node:
    """Return a target's tree with every text that is wholly known at render time written out.

    ``marked`` carries over to the next target what is known of the parts that both share; it starts empty.
    """
    if not isinstance(node.value, dict):
        return _resolved(node, scope, marked)
    value = {key: part if key in UNTOUCHED else _resolved(part, scope, marked) for key, part in node.value.items()}
    return replace(node, value=value)


def _resolved(node: Node, scope: Scope, marked: Marked) -> Node:
    if not _is_marked(node, marked):
        return node
    value = node.value
    if isinstance(value, Scalar):
        before = len(scope.findings)
        text = scope.text(node, Phase.CLUSTER, "").literal
        return node if text is None or len(scope.findings) > before else replace(node, value=quoted_scalar(text))
    if isinstance(value, tuple):
        items = tuple(_resolved(item, scope, marked) for item in value)
        return node if all(map(is_, items, value)) else replace(node, value=items)
    parts = {key: _resolved(item, scope, marked) for key, item in value.items()}
    return node if all(map(is_, parts.values(), value.values())) else replace(node, value=parts)


def _is_marked(node: Node, marked: Marked) -> bool:
    value = node.value
    if isinstance(value, Scalar):
        return holds_placeholder(value.spelling)
    if id(node) not in marked:
        parts = value if isinstance(value, tuple) else value.values()
        marked[id(node)] = node, any(_is_marked(part, marked) for part in parts)
    return marked[id(node)][1]
