"""Every field of ``container`` with every runtime: it changes bytes, is refused, or it is said that nothing reads it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mngen import render, targets
from mngen.diagnostics import has_errors
from mngen.manifest.definitions import definition
from mngen.manifest.load import load
from mngen.manifest.model import Runtime

VALUES: dict[str, list[Any]] = {
    "command": [["/opt/bin/client"]],
    "prefix": [["shifter"]],
    "options": [["--site-option"]],
    "gpu": ["devices"],
    "user": ["host"],
    "host_ids": [True],
    "clean_env": [True],
    "writable": [True],
    "mount_home": [True],
    "pull": ["always", "never"],
}
IMAGES = {Runtime.NONE: None, Runtime.PREFIX: None, Runtime.APPTAINER: {"sif": "/images/a.sif"}}
# What the runtime does by itself: Docker's and Podman's hooks, and pyxis', bring the devices.
ALWAYS = {("gpu", Runtime.DOCKER), ("gpu", Runtime.PODMAN), ("gpu", Runtime.PYXIS)}


def outcome(kind: str, runtime: Runtime, container: dict[str, Any]) -> tuple[list[str], dict[str, str] | None]:
    target = {"kind": kind, "runtime": runtime.value, "container": container}
    if runtime is Runtime.PREFIX:
        target["container"] = {"prefix": ["podman-hpc"], **container}
    image = IMAGES.get(runtime, {"ref": "registry.example.org/rl/train:1"})
    data = {
        "apiVersion": "mngen/v1",
        "name": "fields",
        "driver": {"command": ["true"]},
        "resources": {"nodes": 2, "gpus": 2, "shm": "1G"},
        "targets": {"t": target},
        **({"image": image} if image else {}),
    }
    loaded = load(json.dumps(data), "m.yaml")
    if loaded.manifest is None or has_errors(loaded.diagnostics):
        return [], None
    notes = targets.notes(loaded.manifest)
    tree = render.render(targets.plan(loaded.manifest), digest="")
    said = [item.message for item in (*loaded.diagnostics, *notes)]
    return said, {file.path: file.text for file in tree.files if file.path.startswith("t/")}


def test_every_field_is_looked_at() -> None:
    assert VALUES.keys() == definition("container")["properties"].keys()


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("runtime", Runtime, ids=lambda runtime: runtime.value)
@pytest.mark.parametrize("kind", ["slurm", "manual"])
def test_no_field_is_dropped_in_silence(kind: str, runtime: Runtime, name: str) -> None:
    _, before = outcome(kind, runtime, {})
    for value in VALUES[name]:
        said, files = outcome(kind, runtime, {name: value})
        noted = any(message.startswith(f"container.{name} has no effect") for message in said)
        if before is None or files is None:
            continue
        assert noted == (files == before and (name, runtime) not in ALWAYS), said
