"""Tells whether a tree meets a definition of the manifest's schema: yes or no, and fast.

What is wrong with a tree, and where, is for jsonschema to say (:mod:`mngen.manifest.validator`). Most manifests
are right, and then its import and its errors would be the larger part of what a command costs. The keywords are
those that the schema uses, as Draft 7 defines them (https://json-schema.org/draft-07/json-schema-validation), with
the differences that the validator has. Tests hold the two to the same answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from mngen.diagnostics import Span
from mngen.manifest.definitions import definition, ecma, is_text, resolved
from mngen.manifest.node import Node, Scalar

Schema: TypeAlias = dict[str, Any]
Check: TypeAlias = Callable[[Node, Schema], bool]

_prepared: dict[int, tuple[tuple[Check, ...], Schema]] = {}
"""The checks and the resolved form of each part of the schema in use, by identity: the schema is never dropped."""


def conforms(node: Node, name: str) -> bool:
    """Tell whether a tree meets a definition; ``manifest`` is the whole document."""
    return _meets(node, definition(name))


def _meets(node: Node, schema: Schema) -> bool:
    checks, flat = _prepared.get(id(schema)) or _prepare(schema)
    for check in checks:  # noqa: SIM110 - all() of a generator takes longer, and this is where the time goes
        if not check(node, flat):
            return False
    return True


def _prepare(schema: Schema) -> tuple[tuple[Check, ...], Schema]:
    flat = resolved(schema)
    prepared = tuple(check for keyword, check in KEYWORDS.items() if keyword in flat), flat
    _prepared[id(schema)] = prepared
    return prepared


def _is(value: object, kind: str) -> bool:
    if kind in {"integer", "number"}:
        return isinstance(value, _CLASSES[kind]) and not isinstance(value, bool)
    return isinstance(value, _CLASSES[kind])


_CLASSES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": tuple,
    "object": Mapping,
}


def _typed(node: Node) -> Any:
    return node.value.value if isinstance(node.value, Scalar) else node.value


def _type(node: Node, schema: Schema) -> bool:
    kinds, value = schema["type"], _typed(node)
    return _is(value, kinds) if isinstance(kinds, str) else any(_is(value, kind) for kind in kinds)


def _same(node: Node, wanted: object) -> bool:
    value = _typed(node)
    return isinstance(node.value, Scalar) and value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _const(node: Node, schema: Schema) -> bool:
    return _same(node, schema["const"])


def _enum(node: Node, schema: Schema) -> bool:
    return any(_same(node, wanted) for wanted in schema["enum"])


def _pattern(node: Node, schema: Schema) -> bool:
    if not isinstance(node.value, Scalar):
        return True
    value = node.value.value
    if isinstance(value, str):
        written = value
    elif isinstance(value, int | float) and is_text(schema):
        written = str(value).lower() if isinstance(value, bool) else node.value.spelling
    else:
        return True
    return ecma(schema["pattern"]).search(written) is not None


def _length(node: Node, schema: Schema) -> bool:
    value = _typed(node)
    return not isinstance(value, str) or _within(len(value), schema, "minLength", "maxLength")


def _range(node: Node, schema: Schema) -> bool:
    value = _typed(node)
    return not _is(value, "number") or _within(value, schema, "minimum", "maximum")


def _count(node: Node, schema: Schema) -> bool:
    if isinstance(node.value, Mapping):
        return _within(len(node.value), schema, "minProperties", "maxProperties")
    return not isinstance(node.value, tuple) or _within(len(node.value), schema, "minItems", "maxItems")


def _within(size: float, schema: Schema, least: str, most: str) -> bool:
    return not (least in schema and size < schema[least]) and not (most in schema and size > schema[most])


def _items(node: Node, schema: Schema) -> bool:
    return not isinstance(node.value, tuple) or all(_meets(item, schema["items"]) for item in node.value)


def _properties(node: Node, schema: Schema) -> bool:
    if not isinstance(node.value, Mapping):
        return True
    known = schema["properties"]
    return all(_meets(child, known[key]) for key, child in node.value.items() if key in known)


def _others(node: Node, schema: Schema) -> bool:
    allowed = schema["additionalProperties"]
    if not isinstance(node.value, Mapping) or allowed is True:
        return True
    known = schema.get("properties", ())
    return all(allowed and _meets(child, allowed) for key, child in node.value.items() if key not in known)


def _names(node: Node, schema: Schema) -> bool:
    return not isinstance(node.value, Mapping) or all(_meets(_name(key), schema["propertyNames"]) for key in node.value)


def _name(key: str) -> Node:
    return Node(Scalar(key, key), Span(""))


def _required(node: Node, schema: Schema) -> bool:
    return not isinstance(node.value, Mapping) or _has(node.value, schema["required"])


def _dependencies(node: Node, schema: Schema) -> bool:
    if not isinstance(node.value, Mapping):
        return True
    wanted = [part for key, part in schema["dependencies"].items() if key in node.value]
    return all(_has(node.value, part) if isinstance(part, list) else _meets(node, part) for part in wanted)


def _has(value: Mapping[str, Node], keys: list[str]) -> bool:
    return all(key in value for key in keys)


def _if(node: Node, schema: Schema) -> bool:
    chosen = schema.get("then" if _meets(node, schema["if"]) else "else")
    return chosen is None or _meets(node, chosen)


KEYWORDS: Mapping[str, Check] = {
    "type": _type,
    "const": _const,
    "enum": _enum,
    "required": _required,
    "pattern": _pattern,
    **dict.fromkeys(("minLength", "maxLength"), _length),
    **dict.fromkeys(("minimum", "maximum"), _range),
    **dict.fromkeys(("minProperties", "maxProperties", "minItems", "maxItems"), _count),
    "items": _items,
    "properties": _properties,
    "additionalProperties": _others,
    "propertyNames": _names,
    "dependencies": _dependencies,
    "if": _if,
    "allOf": lambda node, schema: all(_meets(node, part) for part in schema["allOf"]),
    "anyOf": lambda node, schema: any(_meets(node, part) for part in schema["anyOf"]),
    "not": lambda node, schema: not _meets(node, schema["not"]),
}
"""Every keyword that the schema uses; the quick ones first."""
