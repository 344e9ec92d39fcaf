"""The ports of a job: those that the manifest fixes, and those that the launch script takes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mngen.manifest.model import Target

WORKER_BOUNDS = ("worker_min", "worker_max")
SHARED_KINDS = frozenset({"slurm"})
"""Kinds whose nodes may run several jobs: each takes a block of its own when it starts."""

PLANNED: Mapping[str, int] = {
    "gcs": 6379,
    "dashboard": 8265,
    "client": 20001,
    "agent": 20002,
    "agent_grpc": 20003,
    "node_manager": 20004,
    "object_manager": 20005,
    "runtime_env_agent": 20006,
    "metrics": 20007,
    "worker_min": 20100,
    "worker_max": 29999,
}
"""Ports on machines that run one cluster at a time: clear of SkyPilot's own Ray (6380, 8266, 8076, 10001, 52365,
11002 up) and of dstack's 10000-10999. Their order is that of a block's first ports on shared nodes."""

PLANNED_SERVICES = 20016
"""There, the first port of a service."""

BLOCK_SERVICES = 16
"""On shared nodes, a service's first place in the job's block."""

BLOCK_SIZE = 32

BLOCKS = (10240, 18431)
"""On shared nodes: 256 blocks of ``BLOCK_SIZE`` ports for Ray and services (``templates/shell/ports.sh``)."""

BLOCK_WORKERS = (18432, 32767)
"""On shared nodes: the ranges of Ray's workers, seven of 2048 ports."""


class FixedPort(Struct, frozen=True):
    """A port that somebody holds: a field of the manifest, or the job's plan (``planned``)."""

    port: int
    field: str
    planned: bool = False


def fixed_ports(target: Target) -> tuple[FixedPort, ...]:
    """Return Ray's and the services' fixed ports; the bounds of the worker range are not among them."""
    ray = (FixedPort(port, f"ray.ports.{name}") for name, port in target.ray.ports.items() if name not in WORKER_BOUNDS)
    services = (
        FixedPort(service.port, f"services.{service.name}.port")
        for service in target.services
        if service.port is not None
    )
    return (*ray, *services)


def planned_ports(target: Target) -> tuple[FixedPort, ...]:
    """Return the ports of Ray's own that the plan fixes because the manifest does not."""
    if target.kind in SHARED_KINDS:
        return ()
    return tuple(
        FixedPort(port, f"ray.ports.{name}", planned=True)
        for name, port in PLANNED.items()
        if name not in WORKER_BOUNDS and name not in target.ray.ports
    )


def worker_range(target: Target) -> tuple[int, int] | None:
    """Return the range of worker ports when both ends are known at render time and in order."""
    plan = {} if target.kind in SHARED_KINDS else PLANNED
    low, high = (target.ray.ports.get(name, plan.get(name)) for name in WORKER_BOUNDS)
    if low is None or high is None or low > high:
        return None
    return low, high


def fixes_workers(target: Target) -> bool:
    """Tell whether the manifest itself gives the range of worker ports."""
    return any(name in target.ray.ports for name in WORKER_BOUNDS)
