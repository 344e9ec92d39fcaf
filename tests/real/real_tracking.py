"""A Slurm that tracks processes by cgroup, as most sites have it: it signals no more than one process of each node."""

import time
from collections.abc import Callable

import pytest
from faults import PLAIN, Run
from lab import Lab
from lab_files import Shape
from machine import has_freezer
from sites import SITES

PATHS = [PLAIN, "verl-gsm8k-slurm/sif"]
Record = Callable[[str, object], None]


@pytest.fixture
def run(path: str, cluster: Callable[[Shape], Lab], record_property: Record) -> Run:
    """Two nodes whose Slurm has proctrack/cgroup; without a freezer it has what the other runs have."""
    site = SITES[path]
    return Run(cluster(Shape(gpus=site.gpus, gpu_type=site.gpu_type, cgroup=has_freezer())), path, record_property)


@pytest.mark.parametrize("path", PATHS)
def real_tracked_driver_exits_7(run: Run) -> None:
    """The job ends with its driver, and not when Slurm's patience with its other nodes does."""
    job = run.submit("env.DRIVER_EXIT=7")
    job.wait_for_log("driver ended with status 7")
    began = time.monotonic()
    run.end(job, "FAILED", 7, "driver")
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("path", PATHS)
def real_tracked_scancel(run: Run) -> None:
    """`scancel` in the middle of the training."""
    job = run.working()
    began = time.monotonic()
    job.cancel()
    outcome = run.ended(job)
    assert time.monotonic() - began < 25
    assert [(each["status"], each["reason"]) for each in outcome.verdicts] == [(143, "cancelled")]
    run.before.expect_nothing_left()


def real_tracked_worker_fails(run: Run) -> None:
    """A node that fails ends the others, and is the reason."""
    job = run.submit(setup="[[ $(hostname) != node2 ]]")
    run.end(job, "FAILED", 78, "a secret, setting or step is at fault", seconds=60)
