"""The user's own words inside a message of one line."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from msgspec.structs import replace

from mngen.diagnostics import Diagnostic, Label
from mngen.manifest.definitions import definition, schema

_MOST = 60
_NUMBERED = re.compile(r"\b([a-z_]+)\.(\d+)\b(?!\.\d)")


def where(path: tuple[str | int, ...]) -> str:
    """Return a path as people write it: ``mounts[0].source``; the empty one is ``the manifest``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{word(step)}" for step in path)
    return text.removeprefix(".") or "the manifest"


def word(text: str) -> str:
    """Return text so that it fits into a line: long text cut, control characters as escapes."""
    short = text[:_MOST]
    if not short.isprintable():
        return json.dumps(short)
    return short if short == text else f"{short}…"


def bracketed(diagnostic: Diagnostic) -> Diagnostic:
    """Return a finding whose paths are as people write them: rules name fields by ``mounts.0.source``."""
    labels = tuple(Label(label.span, _bracketed(label.text)) for label in diagnostic.labels)
    hint = None if diagnostic.hint is None else _bracketed(diagnostic.hint)
    return replace(diagnostic, message=_bracketed(diagnostic.message), hint=hint, labels=labels)


def _bracketed(text: str) -> str:
    return _NUMBERED.sub(lambda found: f"{found[1]}[{found[2]}]" if found[1] in _lists() else found[0], text)


@cache
def _lists() -> frozenset[str]:
    """Return the names of all fields that are lists; what else is followed by a dot and a digit is a version."""
    found: set[str] = set()
    parts = list(schema()["definitions"].values())
    while parts:
        part = parts.pop()
        below = part.get("properties", {})
        found.update(name for name, node in below.items() if _is_list(node))
        inside = (part.get("items"), part.get("additionalProperties"))
        parts += [*below.values(), *(node for node in inside if isinstance(node, dict))]
    return frozenset(found)


def _is_list(node: dict[str, Any]) -> bool:
    """Tell whether a schema is that of a list, without a copy of what each reference stands for."""
    while "items" not in node and "$ref" in node:
        node = definition(node["$ref"].removeprefix("#/definitions/"))
    return "items" in node
