"""A credential is found wherever the schema lets one be written into an image; the fields are read off the schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from mngen.diagnostics import Severity
from mngen.manifest.definitions import definition, resolved
from mngen.manifest.load import LoadOptions, load

CREDENTIALS = (
    "hf_abcdefghijklmnopqrstuvwx01",
    "glpat-abcdefghij-0123456789",
    "/opt/hf_abcdefghijklmnopqrstuvwx01",
    "https://me:hunter2@h.example.org/x",
    "x @ https://me:hunter2@h.example.org/x.whl",
    "registry.example.org/glpat-abcdefghij-0123456789",
    "registry.example.org/x:hf_abcdefghijklmnopqrstuvwx01",
)
"""So many that every field which takes more than a number or a version takes one of them."""
READY = {"ref", "sif", "sqsh"}
"""Names of images that exist: no file is made from them."""
NO_ROOM = {"platform", "builder", "toolkit", "gpu_arch", "python", "version", "mode"}
"""Fields that take one of a few words, or a version."""


def takes_text(schema: dict[str, Any]) -> bool:
    return "string" in schema["type"] and "enum" not in schema


def planted(schema: dict[str, Any], text: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each place of a part of the schema that takes text, and a value of that part with the text there."""
    node = resolved(schema)
    if takes_text(node):
        yield (), text
    for key, inner in node.get("properties", {}).items():
        needed = {*node.get("required", ()), *node.get("dependencies", {}).get(key, ())} - {key}
        beside = {name: resolved(node["properties"][name])["examples"][0] for name in needed}
        for path, value in planted(inner, text):
            yield (key, *path), {**beside, key: value}
    if isinstance(node.get("additionalProperties"), dict):
        name = next(iter(node["examples"][0]))
        for path, value in planted(node["additionalProperties"], text):
            yield (name, *path), {name: value}
    if "items" in node:
        for path, value in planted(node["items"], text):
            yield ("0", *path), [value]


@cache
def places(text: str) -> dict[str, Any]:
    found = {".".join(path): value for path, value in planted(definition("image"), text) if path[0] not in READY}
    return {place: value for place, value in found.items() if not place.startswith("variants.rocm")}


def merged(below: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    both = {key for key, value in over.items() if isinstance(value, dict) and isinstance(below.get(key), dict)}
    return {**below, **over, **{key: merged(below[key], over[key]) for key in both}}


def findings(fields: dict[str, Any]) -> tuple[set[str], bool]:
    """Return the codes of the errors, and whether MN810 is one, at the line of the credential."""
    variants = {"cuda": {"tag": "1", "base": "nvidia/cuda:12.8.1-devel-ubuntu24.04"}}
    both = {"rocm": {"tag": "2", "base": "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10"}}
    image = merged({"repository": "r.example.org/a", "variants": variants | both}, fields)
    whole = {"apiVersion": "mngen/v1", "name": "x", "driver": {"command": ["x"]}, "targets": {"a": {"kind": "manual"}}}
    text = json.dumps({**whole, "image": image}, indent=1)
    lines = {number for number, line in enumerate(text.split("\n"), 1) if any(one in line for one in CREDENTIALS)}
    found = [
        d for d in load(text, "m.yaml", LoadOptions(read=lambda _: "")).diagnostics if d.severity is Severity.ERROR
    ]
    there = any(d.code == "MN810" and d.span and d.span.line in lines for d in found)
    return {d.code for d in found}, there


@pytest.mark.parametrize("place", places("x"))
def test_a_credential_is_found(place):
    tried = {text: findings(places(text)[place]) for text in CREDENTIALS}
    missed = [text for text, (codes, there) in tried.items() if not there and not codes & {"MN103", "MN104"}]
    assert missed == []
    last = next(part for part in reversed(place.split(".")) if not part.isdigit())
    assert any(there for _, there in tried.values()) is (last not in NO_ROOM)


NAMED = [place for place in places("x") if {"env", "labels"} & {*place.split(".")} and "prepend" not in place]
"""Texts that have a name of the user's."""


@pytest.mark.parametrize("place", NAMED)
def test_a_random_value_is_found_by_its_name(place):
    written = json.dumps(places("k7d9s0a8f7g6h5j4k3l2")[place])
    name = next(iter(resolved(definition("image"))["properties"]["labels"]["examples"][0])) if "labels" in place else ""
    called = written.replace(name or place.rpartition(".")[2], "api_key")
    assert findings(json.loads(called))[0] == {"MN810"}
    assert findings(json.loads(called.replace("k7d9s0a8f7g6h5j4k3l2", "EMPTY")))[0] == set()
