"""Tells whether a tree meets a definition of the manifest's schema: yes or no, and fast.

What is wrong with a tree, and where, is for jsonschema to say (:mod:`mngen.manifest.validator`). Most manifests
are right, and then its import and its errors would be the larger part of what a command costs. The keywords are
those that the schema uses, as Draft 7 defines them (https://json-schema.org/draft-07/json-schema-validation), with
the differences that the validator has. Tests hold the two to the same answers.

fastjsonschema does not do in its place: it cannot judge a number by its spelling, refuses patterns with ``$`` in a
character class, and generates two megabytes of code for this schema, which takes longer than a whole command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from mngen.diagnostics import Span
from mngen.manifest.definitions import definition, ecma, is_text, resolved
from mngen.manifest.node import Node, Scalar

Schema: TypeAlias = dict[str, Any]
Met: TypeAlias = dict[tuple[int, int], Node]
"""Maps and lists that meet a part of the schema, by the identities of both; holding the node keeps its own."""
Check: TypeAlias = Callable[[Node, Schema, Met], bool]

_prepared: dict[int, tuple[tuple[Check, ...], Schema, int]] = {}
"""By the identity of each part of the schema in use (which is never dropped): its checks, its resolved form, and the
identity of the part that it stands for, to which others may refer as well."""


def conforms(node: Node, name: str, met: Met | None = None) -> bool:
    """Tell whether a tree meets a definition; ``manifest`` is the whole document.

    ``met`` carries over to the next tree what is known of the parts that both share.
    """
    return _meets(node, definition(name), {} if met is None else met)


def _meets(node: Node, schema: Schema, met: Met) -> bool:
    checks, flat, part = _prepared.get(id(schema)) or _prepare(schema)
    key = None if isinstance(node.value, Scalar) else (id(node), part)
    if key is not None and key in met:
        return True
    for check in checks:
        if not check(node, flat, met):
            return False
    if key is not None:
        met[key] = node
    return True


def _prepare(schema: Schema) -> tuple[tuple[Check, ...], Schema, int]:
    flat, part = resolved(schema), schema
    while "$ref" in part and KEYWORDS.keys().isdisjoint(part):
        part = definition(part["$ref"].removeprefix("#/definitions/"))
    prepared = tuple(check for keyword, check in KEYWORDS.items() if keyword in flat), flat, id(part)
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
    "object": dict,
}


def _typed(node: Node) -> Any:
    return node.value.value if isinstance(node.value, Scalar) else node.value


def _type(node: Node, schema: Schema, _: Met) -> bool:
    kinds, value = schema["type"], _typed(node)
    return _is(value, kinds) if isinstance(kinds, str) else any(_is(value, kind) for kind in kinds)


def _same(node: Node, wanted: object) -> bool:
    value = _typed(node)
    return isinstance(node.value, Scalar) and value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _const(node: Node, schema: Schema, _: Met) -> bool:
    return _same(node, schema["const"])


def _enum(node: Node, schema: Schema, _: Met) -> bool:
    return any(_same(node, wanted) for wanted in schema["enum"])


def _pattern(node: Node, schema: Schema, _: Met) -> bool:
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


def _length(node: Node, schema: Schema, _: Met) -> bool:
    value = _typed(node)
    return not isinstance(value, str) or _within(len(value), schema, "minLength", "maxLength")


def _range(node: Node, schema: Schema, _: Met) -> bool:
    value = _typed(node)
    return not _is(value, "number") or _within(value, schema, "minimum", "maximum")


def _count(node: Node, schema: Schema, _: Met) -> bool:
    if isinstance(node.value, dict):
        return _within(len(node.value), schema, "minProperties", "maxProperties")
    return not isinstance(node.value, tuple) or _within(len(node.value), schema, "minItems", "maxItems")


def _within(size: float, schema: Schema, least: str, most: str) -> bool:
    return not (least in schema and size < schema[least]) and not (most in schema and size > schema[most])


def _items(node: Node, schema: Schema, met: Met) -> bool:
    return not isinstance(node.value, tuple) or all(_meets(item, schema["items"], met) for item in node.value)


def _properties(node: Node, schema: Schema, met: Met) -> bool:
    if not isinstance(node.value, dict):
        return True
    known = schema["properties"]
    return all(_meets(child, known[key], met) for key, child in node.value.items() if key in known)


def _others(node: Node, schema: Schema, met: Met) -> bool:
    allowed = schema["additionalProperties"]
    if not isinstance(node.value, dict) or allowed is True:
        return True
    known = schema.get("properties", ())
    return all(allowed and _meets(child, allowed, met) for key, child in node.value.items() if key not in known)


def _names(node: Node, schema: Schema, met: Met) -> bool:
    return not isinstance(node.value, dict) or all(
        _meets(_name(key), schema["propertyNames"], met) for key in node.value
    )


def _name(key: str) -> Node:
    return Node(Scalar(key, key), Span(""))


def _required(node: Node, schema: Schema, _: Met) -> bool:
    return not isinstance(node.value, dict) or _has(node.value, schema["required"])


def _dependencies(node: Node, schema: Schema, met: Met) -> bool:
    if not isinstance(node.value, dict):
        return True
    wanted = [part for key, part in schema["dependencies"].items() if key in node.value]
    return all(_has(node.value, part) if isinstance(part, list) else _meets(node, part, met) for part in wanted)


def _has(value: Mapping[str, Node], keys: list[str]) -> bool:
    return all(key in value for key in keys)


def _if(node: Node, schema: Schema, met: Met) -> bool:
    asked = schema["if"]
    key, wanted = _tags.get(id(asked)) or _tags.setdefault(id(asked), _tag(asked))
    if key and isinstance(node.value, dict):
        holds = key in node.value and _same(node.value[key], wanted)
    else:
        holds = _meets(node, asked, met)
    chosen = schema.get("then" if holds else "else")
    return chosen is None or _meets(node, chosen, met)


_tags: dict[int, tuple[str, Any]] = {}
"""By the identity of each condition: what ``_tag`` says of it."""


def _tag(asked: Schema) -> tuple[str, Any]:
    """Return the key and the value that a map must have, of a condition that asks for nothing else; else no key.

    Every tree is asked of which kind it is, by a condition for each kind.
    """
    properties = asked.get("properties", {})
    if len(properties) != 1 or asked != {"properties": properties, "required": [*properties]}:
        return "", None
    ((key, value),) = properties.items()
    return (key, value["const"]) if value.keys() == {"const"} else ("", None)


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
    "allOf": lambda node, schema, met: all(_meets(node, part, met) for part in schema["allOf"]),
    "anyOf": lambda node, schema, met: any(_meets(node, part, met) for part in schema["anyOf"]),
    "not": lambda node, schema, met: not _meets(node, schema["not"], met),
}
"""Every keyword that the schema uses; the quick ones first."""
