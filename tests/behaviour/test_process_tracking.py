"""Whom Slurm tells that a step is to end: on most sites its own child alone, on others every process of the step."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from generated import render

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]

TRACKINGS = ["cgroup", "linuxproc"]
RUNTIMES: dict[str, dict[str, Any]] = {
    "none": {},
    "apptainer": {"image": {"ref": "example/image:1"}},
    "docker": {"image": {"ref": "example/image:1"}, "resources": {"shm": "64M"}},
    "podman": {"image": {"ref": "example/image:1"}, "resources": {"shm": "64M"}},
    "pyxis": {"image": {"ref": "example/image:1"}},
    "prefix": {"container": {"prefix": ["env", "WITHIN=1"]}},
}


def made(cluster: Make, tracking: str, runtime: str, **more: Any) -> Cluster:
    pyxis = {"pyxis": True, "ray_on_host": False} if runtime == "pyxis" else {}
    return cluster(proctrack=tracking, kill_wait=20.0, **pyxis, **more)


def script(sim: Cluster, runtime: str, **fields: Any) -> Any:
    target = {"kind": "slurm", "runtime": runtime, **RUNTIMES[runtime]}
    return render(sim, {**fields, "targets": {"job": target}}) / "job.sbatch"


@pytest.mark.parametrize("tracking", TRACKINGS)
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_job_ends_with_its_driver(cluster: Make, tracking: str, runtime: str) -> None:
    """Nothing waits for Slurm's patience, during which all GPUs would be held; every node is left clean."""
    sim = made(cluster, tracking, runtime)
    begun = time.monotonic()
    done = sim.sbatch(script(sim, runtime), timeout=60)
    assert (done.status, done.leftovers) == (0, []), done.log
    assert time.monotonic() - begun < 15, done.log
    assert [sim.left(name) for name in sim.names] == [[], []]


@pytest.mark.parametrize("tracking", TRACKINGS)
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_cancelled_job_ends_in_good_order(cluster: Make, tracking: str, runtime: str) -> None:
    sim = made(cluster, tracking, runtime, faults={"*": {"driver": {"sleep": 90}}})
    job = sim.submit(script(sim, runtime))
    sim.wait_record("driver", timeout=30)
    begun = time.monotonic()
    job.cancel()
    done = job.wait(40)
    assert (done.status, done.leftovers) == (143, []), done.log
    assert time.monotonic() - begun < 15, done.log
    assert [sim.left(name) for name in sim.names] == [[], []]


@pytest.mark.parametrize("tracking", TRACKINGS)
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_node_that_fails_ends_the_others_and_is_the_reason(cluster: Make, tracking: str, runtime: str) -> None:
    sim = made(cluster, tracking, runtime)
    begun = time.monotonic()
    done = sim.sbatch(script(sim, runtime, preflight="((NODE_RANK == 0))"), timeout=60)
    assert (done.status, done.leftovers) == (77, []), done.log
    assert time.monotonic() - begun < 20, done.log
    assert [sim.left(name) for name in sim.names] == [[], []]
