"""Clusters for the bug cases: a fresh one for a test, and one finished plain job that many tests look at."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "behaviour"), str(HERE.parent / "images")]

from awkward import AwkwardJob, run  # noqa: E402 - the folders must be on the path first
from plain import PlainJob, run_plain_job  # noqa: E402 - as above

from mngen.rehearse.cluster import Cluster, Options  # noqa: E402 - as above


@pytest.fixture
def cluster() -> Iterator[Callable[..., Cluster]]:
    """A factory: `cluster(nodes=2, net="dual")`; all clusters end with the test."""
    made: list[Cluster] = []

    def make(**options: Any) -> Cluster:
        made.append(Cluster(Options(**options)))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture(scope="session")
def plain_job() -> Iterator[PlainJob]:
    """A finished job of two nodes with two GPUs each, run once: tests only read what it left."""
    sim = Cluster(Options(gpus=2, net="dual", names=("gpu-a", "gpu-b"), first_job=1000))
    try:
        yield run_plain_job(sim)
    finally:
        sim.close()


@pytest.fixture(scope="session")
def awkward_job() -> Iterator[Callable[[str], AwkwardJob]]:
    """The finished awkward job of one way to run; each is run once."""
    made: dict[str, AwkwardJob] = {}

    def get(way: str) -> AwkwardJob:
        if way not in made:
            made[way] = run(way)
        return made[way]

    yield get
    for job in made.values():
        job.sim.close()
