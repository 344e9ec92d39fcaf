"""Which fixed ports a manifest asks for, each with the field that asks."""

from __future__ import annotations

from dataclasses import dataclass

from mngen.manifest.model import Target

WORKER_BOUNDS = ("worker_min", "worker_max")


@dataclass(frozen=True, slots=True)
class FixedPort:
    """A port that the user fixed, and where."""

    port: int
    field: str


def fixed_ports(target: Target) -> tuple[FixedPort, ...]:
    """Return Ray's and the services' fixed ports; the bounds of the worker range are not among them."""
    ray = (FixedPort(port, f"ray.ports.{name}") for name, port in target.ray.ports.items() if name not in WORKER_BOUNDS)
    services = (
        FixedPort(service.port, f"services.{service.name}.port")
        for service in target.services
        if service.port is not None
    )
    return (*ray, *services)


def worker_range(target: Target) -> tuple[int, int] | None:
    """Return the user's range of worker ports when both ends are given and in order."""
    low, high = (target.ray.ports.get(name) for name in WORKER_BOUNDS)
    if low is None or high is None or low > high:
        return None
    return low, high
