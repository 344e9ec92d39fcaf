"""Many nodes: a real Slurm with one slurmd for each, and in place of Ray a program that only joins."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from jobs import Example, Job, submit
from lab import Lab
from lab_files import LAB, Shape

STUB = f"{LAB}/stub"
# Calls of the user's own programs to Slurm's controller, as `sdiag` counts them.
CALLS = re.compile(r"^\s+alice\s+\(\s*61001\)\s+count:(\d+)", re.MULTILINE)
MISSING = 37


def start(lab: Lab, *sets: str) -> Job:
    """Submit the plain example with the stand-in."""
    lab.give(Path(__file__).resolve().parent / "stub", STUB, "alice")
    setup = f"setup: |\n  export PATH={STUB}/bin:$PATH PYTHONPATH={STUB}\n"
    fixed = (f"resources.nodes={lab.shape.nodes}", "resources.cpus=2", 'driver.command=["true"]', "driver.args=[]")
    lab.folders("alice", f"{STUB}/joined")
    return submit(lab, Example(sets=(*fixed, *sets), overlay=setup))


def calls(lab: Lab) -> int:
    """How often alice's programs have called the controller."""
    found = CALLS.search(lab.run("sdiag").stdout)
    return int(found[1]) if found else 0


@pytest.mark.only_all
@pytest.mark.parametrize("nodes", [2, 64, 128])
def real_many_nodes(
    nodes: int, cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]
) -> None:
    """The calls to Slurm's controller do not grow with the number of nodes: one step starts all of them."""
    lab = cluster(Shape(nodes=nodes))
    job = start(lab, "ray.ready_timeout=240")
    outcome = job.wait(400)
    outcome.expect("COMPLETED", 0, "driver")
    assert f"{nodes} of {nodes} nodes, {8 * nodes} of {8 * nodes} GPUs; missing: none" in outcome.log
    made = calls(lab)
    assert made <= 8, lab.run("sdiag").stdout
    record_property("end", f"{nodes} nodes in {outcome.seconds:.1f} s, {made} calls")


@pytest.mark.only_all
def real_many_nodes_of_which_some_are_missing(
    cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]
) -> None:
    """The report names those that are missing and stays one line."""
    lab = cluster(Shape(nodes=128))
    lab.folders("alice", STUB, f"{STUB}/joined")
    for index in range(80, 80 + MISSING):
        lab.path(f"{STUB}/joined/not-node{index}").touch()
    began = time.monotonic()
    outcome = start(lab, "ray.ready_timeout=45").wait(400)
    outcome.expect("FAILED", 75, "the cluster did not form")
    (line,) = [line for line in outcome.log.splitlines() if f"{128 - MISSING} of 128 nodes" in line]
    assert line.count("node") >= MISSING
    assert len(line) < 600
    record_property("end", f"{outcome.state}, {time.monotonic() - began:.0f} s")
