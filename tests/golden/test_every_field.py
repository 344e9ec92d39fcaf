"""The example of all fields really has all of them, so that no field goes without bytes in a golden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mngen.manifest.definitions import definition, resolved
from mngen.manifest.node import plain
from mngen.manifest.source import load_text

EVERYTHING = Path(__file__).resolve().parents[2] / "golden" / "everything"


def fields(node: dict, path: str = "", depth: int = 0) -> Iterator[str]:
    """Yield the dotted paths of a schema's properties; ``*`` is a name of the user's, ``-`` an item of a list."""
    node = resolved(node)
    for key, child in node.get("properties", {}).items():
        here = f"{path}.{key}" if path else key
        yield here
        yield from fields(child, here, depth + 1)
    for key, mark in (("additionalProperties", "*"), ("items", "-")):
        if isinstance(node.get(key), dict):
            yield from fields(node[key], f"{path}.{mark}", depth + 1)
    for choice in (*node.get("anyOf", ()), *node.get("oneOf", ())):
        yield from fields(choice, path, depth + 1)


def used(value: object, path: str = "", *, named: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the dotted paths of data, in the same spelling."""
    if isinstance(value, dict):
        for key, item in value.items():
            here = f"{path}.*" if path in named else f"{path}.{key}" if path else str(key)
            yield here
            yield from used(item, here, named=named)
    elif isinstance(value, list):
        for item in value:
            yield from used(item, f"{path}.-", named=named)


def same(path: str) -> str:
    """Return one spelling for fields that have several places: a variant's own, a build stage's files and steps."""
    path = re.sub(r"^image\.variants\.(cuda|rocm)\.", "image.", path)
    path = re.sub(r"^image\.self_test\.", "image.steps.", path)
    return re.sub(r"^image\.stages\.-\.(files|steps)\.", r"image.\1.", path)


def read(path: Path) -> dict:
    return plain(load_text(path.read_text(encoding="utf-8"), path.name).root)


def test_all_fields_are_there():
    wanted = {path for path in fields(definition("overlay")) if not path.startswith("targets")}
    wanted |= set(fields(definition("target-fields")))
    named = frozenset(path.removesuffix(".*") for path in wanted if path.endswith(".*")) | {
        path.rpartition(".*")[0] for path in wanted if ".*" in path
    }
    manifest = read(EVERYTHING / "manifest.yaml")
    blocks = [manifest, *manifest["targets"].values()]
    blocks += [read(site) for site in (EVERYTHING / "sites").glob("*.yaml")]
    found = {path for block in blocks for path in used(block, named=named)}
    assert sorted({same(path) for path in wanted} - {same(path) for path in found}) == []
