"""The rounds of a rehearsal: what goes wrong in each, and the end that a good launch file comes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mngen.rehearse.cluster import Cluster
from mngen.rehearse.edits import WAIT_S
from mngen.rehearse.shape import Shape

LONG_S = 600
"""How long a driver goes on that something else ends."""

Action = Callable[[Cluster], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One run of a launch file."""

    name: str
    """What ``--fault`` calls it."""
    does: str
    """What happens, in a few words."""
    statuses: tuple[int, ...]
    """The exit statuses that it may end with; empty when any but 0 will do."""
    faults: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the stand-ins do, by node; ``LAST`` stands for the last node."""
    node: dict[str, Any] = field(default_factory=dict)
    """What differs on the last node."""
    driver_s: float = 0
    """How long the driver goes on."""
    driver_exit: int = 0
    """How the driver ends."""
    then: Callable[[Cluster, Shape], None] | None = None
    """What is done to the cluster once the driver has started."""
    stops: bool = False
    """Whether the job is cancelled once the driver has started."""
    ready_s: int = WAIT_S
    """What the cluster may take to come up."""
    names_node: bool = False
    """Whether the last node must be named in the log."""
    without: bool = False
    """Whether the first secret is missing."""
    needs: tuple[str, ...] = ()
    """What the launch file must have, by the names of `Plan.has`."""
    drives: bool = True
    """Whether the driver starts at all."""


LAST = "LAST"


def _kill_last_ray(sim: Cluster, shape: Shape) -> None:
    sim.kill_process(shape.names[-1], "raylet")


def _kill_head_ray(sim: Cluster, shape: Shape) -> None:
    sim.kill_process(shape.names[0], "gcs_server")


def _unplug(sim: Cluster, shape: Shape) -> None:
    sim.cut(shape.names[-1])


ROUNDS = (
    Round(name="plain", does="nothing goes wrong", statuses=(0,)),
    Round(name="driver-fails", does="the driver ends with status 7", statuses=(7,), driver_exit=7, needs=("driver",)),
    Round(
        name="cancel",
        does="it is cancelled while it is at work",
        statuses=(143, 130, 137),
        driver_s=LONG_S,
        stops=True,
    ),
    Round(
        name="worker-never-joins",
        does="Ray on the last node starts, but never joins",
        statuses=(75,),
        faults={LAST: {"ray_never_join": True}},
        ready_s=5,
        names_node=True,
        needs=("workers",),
        drives=False,
    ),
    Round(
        name="worker-lost",
        does="Ray dies on the last node while the driver runs",
        statuses=(76,),
        driver_s=LONG_S,
        then=_kill_last_ray,
        needs=("workers",),
    ),
    Round(
        name="node-silent",
        does="the last node's network is gone while the driver runs",
        statuses=(76,),
        driver_s=LONG_S,
        then=_unplug,
        needs=("workers",),
    ),
    Round(
        name="head-lost",
        does="Ray's head dies while the driver runs",
        statuses=(76,),
        driver_s=LONG_S,
        then=_kill_head_ray,
    ),
    Round(
        name="service-dies",
        does="the services end by themselves while the driver runs",
        statuses=(76,),
        faults={"*": {"service": {"die_after": 8, "exit": 3}}},
        driver_s=LONG_S,
        needs=("services",),
    ),
    Round(
        name="service-never-ready",
        does="the services start, but never answer",
        statuses=(76,),
        faults={"*": {"service": {"delay": LONG_S}}},
        ready_s=3,
        needs=("ports",),
        drives=False,
    ),
    Round(
        name="too-few-gpus",
        does="the last node sees one GPU less than it should",
        statuses=(77,),
        names_node=True,
        needs=("gpus",),
        drives=False,
    ),
    Round(
        name="fabric-down",
        does="the last node has no device and no port of the fabric",
        statuses=(77,),
        node={"devices": (), "rdma": []},
        ready_s=5,
        names_node=True,
        needs=("fabric",),
        drives=False,
    ),
    Round(
        name="secret-missing",
        does="the first secret is not set in the submitting shell",
        statuses=(78,),
        without=True,
        needs=("secrets",),
        drives=False,
    ),
    Round(
        name="ray-differs",
        does="the last node has another release of Ray",
        statuses=(75, 76, 77),
        node={"ray_version": "2.40.0"},
        needs=("workers",),
        drives=False,
    ),
)
"""All of them; the first three are what a rehearsal does unless faults are named."""
DEFAULT = ("plain", "driver-fails", "cancel")
FAULTS = tuple(one.name for one in ROUNDS[1:])


def chosen(names: tuple[str, ...]) -> tuple[Round, ...]:
    """Return the rounds of these names, in the order of the list."""
    return tuple(one for one in ROUNDS if one.name in (names or DEFAULT))
