"""A job that asks Slurm for GPUs and says nothing of CPUs may get one for all of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mngen import targets
from mngen.manifest.load import LoadOptions, load

CASES: dict[str, tuple[dict[str, Any], bool]] = {
    "nothing": ({}, True),
    "CPUs": ({"resources": {"cpus": 96}}, False),
    "no GPUs": ({"resources": {"gpus": 0}}, False),
    "whole nodes": ({"slurm": {"exclusive": True}}, False),
    "whole nodes for a user": ({"slurm": {"exclusive": "user"}}, False),
    "nodes that are shared": ({"slurm": {"exclusive": False}}, True),
    "whole nodes by hand": ({"slurm": {"extra": ["--exclusive"]}}, False),
    "CPUs for each GPU": ({"slurm": {"extra": ["--cpus-per-gpu=12"]}}, False),
    "CPUs by hand": ({"slurm": {"extra": ["-c", "96"]}}, False),
    "least CPUs": ({"slurm": {"extra": ["--mincpus=96"]}}, False),
    "another option": ({"slurm": {"extra": ["--hint=nomultithread"]}}, True),
}


@pytest.mark.parametrize(("fields", "few"), CASES.values(), ids=CASES)
def test_note(fields: dict[str, Any], few: bool) -> None:
    resources = {"nodes": 2, "gpus": 8, **fields.get("resources", {})}
    manifest = {
        "apiVersion": "mngen/v1",
        "name": "train",
        "driver": {"command": ["python3", "t.py"]},
        "targets": {"here": {"kind": "slurm", **fields, "resources": resources}},
    }
    loaded = load(json.dumps(manifest), "m.yaml", LoadOptions())
    assert loaded.manifest is not None, loaded.diagnostics
    said = [note.message for note in targets.notes(loaded.manifest)]
    assert any("as many CPUs" in message for message in said) is few
