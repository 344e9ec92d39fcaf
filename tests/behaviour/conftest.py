"""The fixture that gives behaviour tests their clusters."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

from mngen.rehearse.cluster import Cluster, Options  # noqa: E402 - the two folders must be on the path first


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
