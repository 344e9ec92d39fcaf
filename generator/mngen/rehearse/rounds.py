"""The rounds of a rehearsal: what goes wrong in each, and the end that a good launch file comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from mngen.rehearse import actions
from mngen.rehearse.cluster import Cluster
from mngen.rehearse.edits import WAIT_S
from mngen.rehearse.shape import Shape

LONG_S = 600
"""How long a driver goes on that something else ends."""


class Round(Struct, frozen=True, kw_only=True):
    """One run of a launch file."""

    name: str
    """What ``--fault`` calls it."""
    does: str
    """What happens, in a few words."""
    statuses: tuple[int, ...]
    """The exit statuses that it may end with; empty when any but 0 will do."""
    faults: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What goes wrong in the stand-ins, by node; ``LAST`` stands for the last node, ``*`` for each."""
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
    traps: bool = False
    """Whether the driver ends in good order at the signal that a time limit brings."""
    attempts: int = 1
    """How often the job starts."""
    retries: bool = False
    """Whether a failure puts the job back into the queue, where it asks for that."""
    killed: bool = False
    """Whether what would report the end is killed."""
    loopback_name: bool = False
    """Whether each node's own name leads to 127.0.1.1 there, as Debian's installer writes it."""
    foreign: bool = False
    """Whether another user's Ray is at work on every node."""


LAST = "LAST"


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
        needs=("workers", "stub"),
        drives=False,
    ),
    Round(
        name="worker-lost",
        does="Ray dies on the last node while the driver runs",
        statuses=(76,),
        driver_s=LONG_S,
        then=actions.kill_last_ray,
        needs=("workers", "loss"),
    ),
    Round(
        name="node-silent",
        does="the last node's network is gone while the driver runs",
        statuses=(76,),
        driver_s=LONG_S,
        then=actions.unplug,
        needs=("workers", "network", "loss"),
    ),
    Round(
        name="head-lost",
        does="Ray's head dies while the driver runs",
        statuses=(76,),
        driver_s=LONG_S,
        then=actions.kill_head_ray,
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
        ready_s=10,
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
        needs=("workers", "stub"),
        drives=False,
    ),
    Round(
        name="shm-full",
        does="the last node's /dev/shm has hardly any room",
        statuses=(77,),
        node={"shm": "256k"},
        names_node=True,
        needs=("shm",),
        drives=False,
    ),
    Round(
        name="loopback-name",
        does="each node's own name leads to 127.0.1.1 there",
        statuses=(0,),
        loopback_name=True,
    ),
    Round(
        name="foreign-ray",
        does="another Ray is at work on every node, which must stay untouched",
        statuses=(0,),
        foreign=True,
        needs=("stub",),
    ),
    Round(
        name="time-limit",
        does="the job reaches its time limit",
        statuses=(143,),
        driver_s=LONG_S,
        traps=True,
        then=actions.reach_time_limit,
        needs=("slurm", "driver"),
    ),
    Round(
        name="requeue",
        does="the job goes back to the queue while the driver runs, and starts again",
        statuses=(0,),
        driver_s=LONG_S,
        then=actions.requeue,
        attempts=2,
        needs=("slurm", "driver"),
    ),
    Round(
        name="retry",
        does="Ray's head dies while the driver runs, and the job is tried again",
        statuses=(0,),
        driver_s=LONG_S,
        then=actions.lose_head_once,
        attempts=2,
        retries=True,
        needs=("retry", "driver"),
    ),
    Round(
        name="batch-killed",
        does="the batch shell, srun and container clients are killed at once",
        statuses=(137,),
        driver_s=LONG_S,
        then=actions.kill_batch,
        killed=True,
        needs=("slurm",),
    ),
)
"""All of them; the first three are what a rehearsal does unless faults are named."""
DEFAULT = ("plain", "driver-fails", "cancel")
FAULTS = tuple(one.name for one in ROUNDS[1:])


def chosen(names: tuple[str, ...]) -> tuple[Round, ...]:
    """Return the rounds of these names, in the order of the list."""
    return tuple(one for one in ROUNDS if one.name in (names or DEFAULT))
