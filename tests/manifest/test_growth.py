"""The work for a manifest grows as the manifest does, whatever it has more of: counted in calls, not in seconds."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from mngen.checks.tree import CheckOptions, check_tree
from mngen.manifest.load import load
from mngen.render import render
from mngen.targets import notes, plan

PLAIN: dict[str, Any] = {"kind": "slurm"}
PARTS: dict[str, Callable[[int], dict[str, Any]]] = {
    "variables": lambda n: {"env": {f"V{i}": "x" for i in range(n)}},
    "variables of the node": lambda n: {"env": {f"V{i}": f"${{{{ env.X{i} }}}}" for i in range(n)}},
    "variables that are removed": lambda n: {"unset_env": [f"X{i}_*" if i % 2 else f"X{i}" for i in range(n)]},
    "variables set and removed": lambda n: {
        "env": {f"V{i}": f"${{{{ env.X{i} }}}}" for i in range(n)},
        "unset_env": [f"X{i}" for i in range(n)],
    },
    "arguments": lambda n: {"driver": {"command": ["x"], "args": [f"a.b{i}={i}" for i in range(n)]}},
    "arguments with placeholders": lambda n: {
        "driver": {"command": ["x"], "args": [f"p=${{{{ env.X{i} }}}}/${{{{ head_ip }}}}" for i in range(n)]}
    },
    "mounts": lambda n: {
        "image": {"ref": "a/b:1"},
        "targets": {"t": {**PLAIN, "runtime": "docker"}},
        "mounts": [{"source": f"/a/b{i}"} for i in range(n)],
    },
    "services": lambda n: {
        "services": {f"s{i}": {"command": ["x"], "port": 20000 + i, "ready": {"tcp": True}} for i in range(n)}
    },
    "secrets": lambda n: {"secrets": {f"S{i}": {} for i in range(n)}},
    "steps": lambda n: {"prepare": [{"run": f"echo {i}"} for i in range(n)]},
    "vars in a chain": lambda n: {
        "vars": {"a0": "x", **{f"a{i}": "y" if i % 20 == 0 else f"${{{{ vars.a{i - 1} }}}}" for i in range(1, n)}}
    },
    "targets": lambda n: {"targets": {f"t{i}": PLAIN for i in range(n)}},
}
FEW = 60


def calls(fields: dict[str, Any]) -> int:
    """How many functions are called, Python's own too, from a text to checked files."""
    whole = {"apiVersion": "mngen/v1", "name": "n", "resources": {"nodes": 2}, "driver": {"command": ["x"]}}
    text = json.dumps({**whole, "targets": {"t": PLAIN}, **fields})
    count = 0

    def one(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(one)
    try:
        manifest = load(text, "m.yaml").manifest
        assert manifest is not None
        notes(manifest)
        check_tree(render(plan(manifest), digest="").files, CheckOptions(lint=False))
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("part", PARTS)
def test_twice_as_much_is_not_four_times_the_work(part: str) -> None:
    make = PARTS[part]
    calls(make(FEW))  # what is kept for the next one is there
    empty, once, twice = (calls(make(size)) for size in (1, FEW, 2 * FEW))
    assert twice - empty < 2.6 * (once - empty), (empty, once, twice)
