"""Every field of the schema on every kind of target: it changes bytes, or something is said of it, or it is refused."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import field_cases

from mngen import render, targets
from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.definitions import KINDS
from mngen.manifest.field_index import Field, fields
from mngen.manifest.load import LoadOptions, load

# Fields that judge the manifest, or that others refer to: alone they can change nothing.
GATES = {
    "apiVersion": "any other value is refused",
    "mngen": "releases outside of the range refuse the manifest",
    "vars": "values for placeholders elsewhere",
    "targets": "what there is to render",
    "kind": "which files there are",
    "slurm.version": "options that it lacks are refused",
    "resources.gpu_type": "checked against variant and image; SkyPilot and dstack ask for it",
}

# What to compare with where a field cannot be absent and the schema shows one value only.
OTHERS: dict[str, Any] = {
    "name": "other",
    "resources.memory.per_cpu": "8G",
    "resources.memory.per_gpu": "64G",
    "code.git": "https://example.org/other",
    "mounts[].target": "/other",
    "ray.ports.worker_min": 21001,
    "ray.ports.worker_max": 21998,
    "container.prefix": ["podman-hpc"],
    "prepare[].run": "true",
    "endpoint.file": "/other",
}

Outcome = tuple[tuple[Diagnostic, ...], dict[str, str] | None]


@cache
def _outcome(text: str) -> Outcome:
    loaded = load(text, "m.yaml", LoadOptions(read=lambda _: "env: {SITE: lumi}\n"))
    found = list(loaded.diagnostics)
    if loaded.manifest is None or _errors(found):
        return tuple(found), None
    found += targets.notes(loaded.manifest)
    if _errors(found):
        return tuple(found), None
    tree = render.render(targets.plan(loaded.manifest), digest="")
    return tuple(found), {file.path: file.text for file in tree.files}


def outcome(data: dict[str, Any]) -> Outcome:
    return _outcome(json.dumps(data))


def _errors(found: list[Diagnostic] | tuple[Diagnostic, ...]) -> list[Diagnostic]:
    return [item for item in found if item.severity is Severity.ERROR]


def spoken_of(field: Field, found: tuple[Diagnostic, ...]) -> bool:
    """Whether a remark on the field, or on all that it is part of, is among the findings."""
    steps = field.path.replace("[]", ".0").split(".")
    paths = [".".join(steps[: size + 1]) for size in range(len(steps))]
    return any(item.message.startswith(f"{path} ") for path in paths for item in found)


def effect(field: Field, value: Any, kind: str) -> str:
    data = field_cases.manifest(field, value, kind)
    if data is None:
        return "refused"
    found, files = outcome(data)
    if files is None:
        return "refused"
    if spoken_of(field, found):
        return "noted"
    needed = True
    for other in _compared(field, value, data):
        before, was = outcome(other)
        if was is None:
            continue
        needed = False
        if was != files:
            return "used"
        if {item.message for item in found} - {item.message for item in before}:
            return "noted"
    return "needed" if needed else "ignored"


def _compared(field: Field, value: Any, data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield manifests to compare with: the field absent, else with another value, else without what it is part of."""
    yield field_cases.without(data, field)
    yield field_cases.without(data, field, everywhere=True)
    parent, _, name = field.path.rpartition(".")
    if name != "NAME":
        others = [*field.examples, OTHERS.get(field.path), f"{value}1" if isinstance(value, str) else None]
        yield from (field_cases.changed(data, field, other) for other in others if other not in (None, value))
    if parent:
        yield field_cases.without(data, fields()[parent.removesuffix("[]")])


@cache
def effects() -> dict[str, dict[str, set[str]]]:
    """Return what each field does, by kind and path, over all of its examples."""
    found: dict[str, dict[str, set[str]]] = {kind: {} for kind in KINDS}
    for field, value, kind in field_cases.cases():
        if field.path not in GATES:
            found[kind].setdefault(field.path, set()).add(effect(field, value, kind))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_dropped_in_silence(kind: str) -> None:
    silent = {path for path, seen in effects()[kind].items() if "ignored" in seen}
    assert sorted(silent) == []


def test_every_field_is_looked_at() -> None:
    looked_at = {field.path for field, _, _ in field_cases.cases()}
    assert {path for path, field in fields().items() if field.examples} - looked_at == set()
