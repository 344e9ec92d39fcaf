"""What tests of the schema take apart: every part of the schema, and manifests as trees that can be made wrong."""

from __future__ import annotations

from hypothesis import strategies as st

from mngen.diagnostics import Span
from mngen.manifest.definitions import schema
from mngen.manifest.examples import examples
from mngen.manifest.node import Node, Scalar

HOLDS_SCHEMAS = ("properties", "definitions")


def every_schema():
    stack = [("", schema())]
    while stack:
        path, node = stack.pop()
        yield path, node
        for key, value in node.items():
            if key in HOLDS_SCHEMAS:
                stack += [(f"{path}/{key}/{name}", inner) for name, inner in value.items()]
            elif key in {"items", "additionalProperties", "propertyNames", "not", "if", "then", "else"}:
                stack += [(f"{path}/{key}", value)] if isinstance(value, dict) else []
            elif key in {"allOf", "anyOf"}:
                stack += [(f"{path}/{key}/{index}", inner) for index, inner in enumerate(value)]
            elif key == "dependencies":
                stack += [(f"{path}/{key}/{name}", inner) for name, inner in value.items() if isinstance(inner, dict)]


SCHEMAS = dict(every_schema())

EXAMPLES = [example.manifest for example in examples()]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def node(value):
    span = Span("m.yaml", 1, 1)
    if isinstance(value, dict):
        return Node({key: node(inner) for key, inner in value.items()}, span, span)
    if isinstance(value, list):
        return Node(tuple(node(inner) for inner in value), span, span)
    return Node(Scalar(str(value), value, quoted=isinstance(value, str)), span, span)


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


def replaced(value, path, other):
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], other)
    return copy
