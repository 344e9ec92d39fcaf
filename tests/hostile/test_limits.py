"""What is large: the largest items that Linux takes arrive, one byte more is refused, and so are ten thousand kept."""

import contextlib
import json

import pytest
import ways
from generated import render

from mngen.diagnostics import Severity
from mngen.manifest.load import load

LARGEST = 131071
"""Bytes of one argument or `NAME=value`: MAX_ARG_STRLEN without the NUL, execve(2)."""
WAYS = ("none", "docker", "dstack")


@pytest.mark.parametrize("way", WAYS)
def test_the_largest_items_and_many_of_them_arrive(way: str) -> None:
    args = ["a" * LARGEST, "é" * (LARGEST // 2) + "!", "\n" * LARGEST, *(f"n={number} $x" for number in range(10_000))]
    env = {"LARGE": "b" * (LARGEST - len("LARGE=")), "LINES": "\n'" * 60_000}
    with contextlib.closing(ways.cluster(way, nodes=1)) as sim:
        text = json.dumps(
            {
                "apiVersion": "mngen/v1",
                "name": "sim",
                "resources": {"nodes": 1},
                "env": env,
                "driver": {"command": ["sim-driver"], "args": args},
                "targets": {"job": ways.target(way)},
            }
        )
        status, log = ways.run(way, sim, render(sim, text))
        assert status == 0, log
        (driver,) = sim.records("driver")
        assert driver["argv"] == args
        assert {name: driver["env"][name] for name in env} == env


FIELDS = {
    "driver.args": {"driver": {"command": ["sim-driver"], "args": ["VALUE"]}},
    "driver.command": {"driver": {"command": ["sim-driver", "VALUE"]}},
    "driver.extra_args": {"driver": {"command": ["sim-driver"], "extra_args": ["VALUE"]}},
    "services": {"services": {"s": {"command": ["serve", "VALUE"]}}},
    "services.env": {"services": {"s": {"command": ["serve"], "env": {"A": "VALUE"}}}},
    "env": {"env": {"A": "VALUE"}},
    "ray": {"ray": {"head_args": ["--labels=VALUE"]}},
    "container.options": {"container": {"options": ["--label=VALUE"]}},
}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("character", ["a", "é", "$"])
def test_one_byte_more_is_refused(field: str, character: str) -> None:
    value = character * (LARGEST // len(character.encode()) + 1)
    fields = json.loads(json.dumps(FIELDS[field]).replace("VALUE", value))
    target = {"kind": "slurm", "runtime": "docker", "image": {"ref": "example/image:1"}, "resources": {"shm": "1G"}}
    manifest = {
        "apiVersion": "mngen/v1",
        "name": "sim",
        "driver": {"command": ["sim-driver"]},
        "targets": {"job": target},
        **fields,
    }
    loaded = load(json.dumps(manifest), "manifest.yaml")
    errors = [item for item in loaded.diagnostics if item.severity is Severity.ERROR]
    assert [item.code for item in errors] == ["MN295"]
    assert errors[0].hint
