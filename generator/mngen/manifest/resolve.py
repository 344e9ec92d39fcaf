"""Put in what is known at render time, so that the schema also judges values that placeholders make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import is_

from mngen.manifest.node import Node, Scalar
from mngen.manifest.placeholders import holds_placeholder
from mngen.manifest.scalars import quoted_scalar
from mngen.manifest.scope import Scope
from mngen.manifest.text import Phase

UNTOUCHED = ("raw",)
"""Fields of a target in which nothing is interpolated."""


def resolved(node: Node, scope: Scope) -> Node:
    """Return a target's tree with every text that is wholly known at render time written out."""
    if not isinstance(node.value, Mapping):
        return _resolved(node, scope)
    value = {key: part if key in UNTOUCHED else _resolved(part, scope) for key, part in node.value.items()}
    return replace(node, value=value)


def _resolved(node: Node, scope: Scope) -> Node:
    value = node.value
    if isinstance(value, Scalar):
        if "${{" not in value.spelling or not holds_placeholder(value.spelling):
            return node
        before = len(scope.findings)
        text = scope.text(node, Phase.CLUSTER, "").literal
        return node if text is None or len(scope.findings) > before else replace(node, value=quoted_scalar(text))
    if isinstance(value, tuple):
        items = tuple(_resolved(item, scope) for item in value)
        return node if all(map(is_, items, value)) else replace(node, value=items)
    parts = {key: _resolved(item, scope) for key, item in value.items()}
    return node if all(map(is_, parts.values(), value.values())) else replace(node, value=parts)
