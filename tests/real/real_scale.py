"""Many nodes: a real Slurm with one slurmd for each, and in place of Ray a program that only joins."""

import time
from collections.abc import Callable

import many
import pytest
from jobs import Job, submit
from lab import Lab
from lab_files import LAB, Shape

MISSING = 37


def start(lab: Lab, *sets: str) -> Job:
    """Submit the plain example with the stand-in."""
    stub = f"{LAB}/stub"
    lab.give(many.STUB, stub, "alice")
    lab.folders("alice", f"{stub}/joined")
    return submit(lab, many.example(lab.shape.nodes, stub, *sets))


def calls(lab: Lab) -> int:
    """How often alice's programs have called the controller."""
    found = many.CALLS.search(lab.run("sdiag").stdout)
    return int(found[1]) if found else 0


@pytest.mark.only_all
@pytest.mark.parametrize("nodes", [2, 64, 128, 256])
def real_many_nodes(
    nodes: int, cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]
) -> None:
    """The calls to Slurm's controller do not grow with the number of nodes: one step starts all of them."""
    lab = cluster(Shape(nodes=nodes))
    outcome = start(lab, "ray.ready_timeout=240").wait(400)
    outcome.expect("COMPLETED", 0, "driver")
    assert many.state_line(outcome.log, nodes, nodes) == (
        f"{nodes} of {nodes} nodes, {8 * nodes} of {8 * nodes} GPUs; missing: none"
    )
    made = calls(lab)
    assert made <= 8, lab.run("sdiag").stdout
    record_property("end", f"driver after {many.driver_after(outcome.log):.1f} s, {made} calls")


@pytest.mark.only_all
def real_many_nodes_of_which_some_are_missing(
    cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]
) -> None:
    """The report names those that are missing and stays one line."""
    lab = cluster(Shape(nodes=128))
    lab.folders("alice", f"{LAB}/stub", f"{LAB}/stub/joined")
    many.absent((f"node{index}" for index in range(80, 80 + MISSING)), lab.path(f"{LAB}/stub/joined"))
    began = time.monotonic()
    outcome = start(lab, "ray.ready_timeout=45").wait(400)
    outcome.expect("FAILED", 75, "the cluster did not form")
    line = many.state_line(outcome.log, 128 - MISSING, 128)
    assert line.count("node") >= MISSING
    assert len(line) < 600
    record_property("end", f"{outcome.state}, {time.monotonic() - began:.0f} s")
