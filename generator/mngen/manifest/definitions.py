"""The published JSON Schema of the manifest, read once."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, TypeAlias

from mngen.data_files import folder

FILE_NAME = "manifest.v1.schema.json"
"""The schema's file in ``mngen.schemas``; editors are pointed at it."""

Kinds: TypeAlias = tuple[tuple[str, str], ...]
"""Kinds of target that other packages bring: each name with its definition as JSON text."""

_END = re.compile(r"(\\.|\[(?:\\.|[^\]\\])*\])|\$", re.DOTALL)
"""An escape or a character class (kept), or else a ``$``."""


@cache
def schema() -> dict[str, Any]:
    """Return the schema as published. Callers share the one object and must not change it."""
    text = folder("mngen.schemas").joinpath(FILE_NAME).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


KINDS: tuple[str, ...] = tuple(schema()["definitions"]["kind"]["enum"])
"""Kinds of target that have a closed definition of their own, ``target-KIND``."""


@cache
def extended(kinds: Kinds) -> dict[str, Any]:
    """Return the schema with further kinds of target beside its own."""
    published = schema()["definitions"]
    known, by_kind = published["kind"], published["target-by-kind"]
    branches = [
        {
            "if": {"properties": {"kind": {"const": name}}, "required": ["kind"]},
            "then": {"$ref": f"#/definitions/target-{name}"},
        }
        for name, _ in kinds
    ]
    definitions = {
        **published,
        **{f"target-{name}": json.loads(text) for name, text in kinds},
        "kind": {**known, "enum": [*known["enum"], *(name for name, _ in kinds)]},
        "target-by-kind": {**by_kind, "then": {"allOf": [*by_kind["then"]["allOf"], *branches]}},
    }
    return {**schema(), "definitions": definitions}


def definition(name: str, kinds: Kinds = ()) -> dict[str, Any]:
    """Return one definition; ``manifest`` is the whole document.

    Raises:
        KeyError: there is no such definition.

    """
    whole = extended(kinds) if kinds else schema()
    if name == "manifest":
        return whole
    found: dict[str, Any] = whole["definitions"][name]
    return found


def resolved(node: dict[str, Any], kinds: Kinds = ()) -> dict[str, Any]:
    """Follow ``$ref``; what is written beside it (a description, a default, examples) wins over the definition's.

    Draft 7 gives such neighbours no meaning for validation, and none of them has any here: they are words for
    people, as editors show them.
    """
    while "$ref" in node:
        beside = {key: value for key, value in node.items() if key != "$ref"}
        node = {**definition(node["$ref"].removeprefix("#/definitions/"), kinds), **beside}
    return node


@cache
def ecma(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of the schema with ``$`` as the very end of the text.

    In JSON Schema patterns are ECMA 262 expressions; Python's ``$`` also matches before a last newline.
    """
    return re.compile(_END.sub(lambda match: match[1] or r"\Z", pattern))


def is_text(schema: dict[str, Any]) -> bool:
    """Tell whether a schema describes text, which takes every scalar by its spelling."""
    kinds = schema.get("type")
    return isinstance(kinds, list) and "number" in kinds
