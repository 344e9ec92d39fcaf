"""Every field of the manifest, walked out of its schema: for ``mngen explain``, hints and the reference.

A field's path is the one it has at the top level or directly inside a target: ``slurm.time``, ``ray.ports.gcs``.
Items of a list are ``mounts[].source``, entries of a map with names of the user's own ``services.NAME.port``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import Struct

from mngen.manifest.definitions import KINDS, definition, resolved, schema
from mngen.manifest.layers import DOCUMENT_KEYS
from mngen.manifest.nearest import nearest

_INDEX = re.compile(r"\[[^\]]*\]")


class Field(Struct, frozen=True, kw_only=True):
    """One key of the manifest."""

    path: str
    description: str
    type: str
    """In words: ``text``, ``whole number``, ``list of text``, ``map of NAME to text``."""
    default: Any = None
    """The value that counts when the key is absent; ``None`` when there is none or it is worked out."""
    examples: tuple[Any, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    """Each accepted value, as written in YAML, with its meaning."""
    required: bool = False
    """Whether the map around it must have it."""
    kinds: tuple[str, ...] = KINDS
    """Kinds of target that take it."""
    top: bool = True
    """Whether it may stand at the top level."""
    in_target: bool = True
    """Whether it may stand in a target."""
    children: tuple[str, ...] = ()
    """Paths of the fields directly inside it."""

    @property
    def name(self) -> str:
        """The key itself."""
        return self.path.rpartition(".")[2].removesuffix("[]")


@cache
def fields() -> dict[str, Field]:
    """Return every field by path, in the order of the schema."""
    found: dict[str, Field] = {}
    required = {*schema()["required"], *definition("target")["required"]}
    for name, node in _roots().items():
        found.update((field.path, field) for field in _walk(name, node, name in required))
    return found


def find(path: str) -> Field | None:
    """Return a field by any path people write.

    ``targets.amd.slurm.time``, ``mounts[0].source``, ``env.HF_HOME``, and ``prepare.0.run`` as findings have it. Below
    a target's name only what may stand there is found.
    """
    steps = [step for step in _INDEX.sub("", path.strip()).split(".") if step and not step.isdecimal()]
    for start in _starts(steps):
        field = _descend(steps[start:])
        if field is not None and (field.in_target or not start):
            return field
    return None


def suggestions(path: str) -> tuple[str, ...]:
    """Return paths that a wrong one may have meant.

    The nearest name in the same place comes first, then fields of that very name elsewhere, then the nearest path.
    """
    parent, _, name = path.rpartition(".")
    above = find(parent) if parent else None
    beside = {child.rpartition(".")[2]: child for child in above.children} if above else {}
    meant = nearest(name, beside)
    if meant:
        return (beside[meant],)
    same = tuple(known.path for known in fields().values() if known.name == name)
    if same:
        return same
    close = nearest(path, fields())
    return (close,) if close else ()


def type_words(node: dict[str, Any]) -> str:
    """Return what a schema accepts, in words."""
    kinds = node.get("type", "object")
    if isinstance(kinds, str):
        return _single(kinds, node)
    if "number" in kinds:
        return "text"
    return " or ".join(_single(kind, node) for kind in kinds)


def _single(kind: str, node: dict[str, Any]) -> str:
    if kind == "array":
        items = resolved(node.get("items", {}))
        return f"list of {_plural(type_words(items))}"
    if kind == "object":
        values = node.get("additionalProperties")
        return f"map of NAME to {type_words(resolved(values))}" if isinstance(values, dict) else "map"
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kind, kind)


def _plural(words: str) -> str:
    return {"map": "maps", "whole number": "whole numbers"}.get(words, words)


def _roots() -> dict[str, dict[str, Any]]:
    top = schema()["properties"]
    inside = {key: node for key, node in definition("target-fields")["properties"].items() if key not in top}
    return {**{key: node for key, node in top.items() if key != "targets"}, "targets": top["targets"], **inside}


def _walk(path: str, node: dict[str, Any], required: bool) -> Iterator[Field]:
    node = resolved(node)
    below = {} if path == "targets" else _inside(path, node)
    root = re.split(r"[.\[]", path, maxsplit=1)[0]
    yield Field(
        path=path,
        description=node["description"],
        type=type_words(node),
        default=node.get("default"),
        examples=tuple(node.get("examples", ())),
        choices=_choices(node),
        required=required,
        kinds=tuple(
            kind for kind in KINDS if root in DOCUMENT_KEYS or root in definition(f"target-{kind}")["properties"]
        ),
        top=root in schema()["properties"],
        in_target=root not in DOCUMENT_KEYS,
        children=tuple(below),
    )
    musts = {key for part in (node, resolved(node.get("items", {}))) for key in part.get("required", ())}
    for child, inner in below.items():
        yield from _walk(child, inner, child.rpartition(".")[2] in musts)


def _inside(path: str, node: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the fields directly inside one: its keys, those of its items, or the entries of a map of maps."""
    if "items" in node:
        items = resolved(node["items"])
        return {f"{path}[].{key}": inner for key, inner in items.get("properties", {}).items()}
    values = node.get("additionalProperties")
    if isinstance(values, dict) and "properties" in resolved(values):
        return {f"{path}.NAME": values}
    return {f"{path}.{key}": inner for key, inner in node.get("properties", {}).items()}


def _choices(node: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    words = node.get("enumDescriptions", [""] * len(node.get("enum", ())))
    return tuple((_yaml(value), meaning) for value, meaning in zip(node.get("enum", ()), words, strict=True))


def _yaml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _starts(steps: list[str]) -> tuple[int, ...]:
    """Return where the field's own path may begin, after ``targets`` and perhaps a target's name."""
    return (2, 1) if len(steps) > 1 and steps[0] in {"target", "targets"} else (0,)


def _descend(steps: list[str]) -> Field | None:
    known, current = fields(), None
    for step in steps:
        options = [step] if current is None else current.children
        current = _child(options, step, known) or (current if current and not current.children else None)
        if current is None:
            return None
    return current


def _child(options: list[str] | tuple[str, ...], step: str, known: dict[str, Field]) -> Field | None:
    for path in options:
        if path in known and path.rpartition(".")[2] in {step, "NAME"}:
            return known[path]
    return None
