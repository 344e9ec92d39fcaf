"""What the keys of an open map have to look like: those of ``targets``, ``env`` and their like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mngen.manifest.definitions import definition, ecma, resolved, schema

ITEM = "[]"
"""The step from a list to one of its items."""


def refused_name(path: Sequence[str], name: str, layer: str) -> str | None:
    """Return what a key of the map at ``path`` must be where ``name`` is not accepted, in quotes or without."""
    node: dict[str, Any] | None = definition("target-fields") if layer == "site" else schema()
    for number, step in enumerate(path):
        in_target = number == 1 and path[0] == "targets" and layer != "site"
        node = definition("target-fields") if in_target else _below(node, step)
        if node is None:
            return None
    names = resolved(node).get("propertyNames", {}) if node is not None else {}
    if "pattern" not in names or ecma(names["pattern"]).search(name):
        return None
    wanted: str | None = names.get("patternErrorMessage")
    return wanted


def _below(node: dict[str, Any] | None, step: str) -> dict[str, Any] | None:
    flat = resolved(node) if node is not None else {}
    if step == ITEM:
        found = flat.get("items")
    else:
        found = flat.get("properties", {}).get(step, flat.get("additionalProperties"))
    return found if isinstance(found, dict) else None
