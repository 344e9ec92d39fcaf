"""One room for all runs, and a folder for each."""

import re
from collections.abc import Iterator

import pytest
import stand_ins
from bench import FRONT, Bench
from room import HERE, PLAIN, ROOM, Room


@pytest.fixture(scope="session")
def room() -> Iterator[Room]:
    """A room with everything that stands in for the world outside."""
    made = Room()
    try:
        made.start()
        stand_ins.make(made)
        front = f"python3 {HERE}/front.py {FRONT} {PLAIN} immutable >{ROOM}/front.log 2>&1 &"
        made.run("bash", "-c", f"{front} until (: </dev/tcp/{FRONT.replace(':', '/')}) 2>/dev/null; do sleep 0.1; done")
        yield made
    finally:
        made.close()


@pytest.fixture
def bench(room: Room, request: pytest.FixtureRequest) -> Bench:
    """A folder of this run's own."""
    made = Bench(room, f"{ROOM}/{re.sub(r'[^a-z0-9-]+', '-', request.node.name.lower())}")
    room.path(made.folder).mkdir()
    return made
