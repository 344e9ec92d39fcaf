"""Who gets which port, for people. A test compares this with the assignments in rendered scripts."""

from __future__ import annotations

from mngen.manifest.judging.port_plan import (
    BLOCK_SERVICES,
    PLANNED,
    PLANNED_SERVICES,
    SHARED_KINDS,
    WORKER_BOUNDS,
)
from mngen.manifest.model import Target

NOTE = "first = 10240 + 32 * block, workers = 18432 + 2048 * (block % 7); each job takes a free block"
"""What the names in a table for shared nodes mean."""


def port_table(target: Target) -> tuple[tuple[str, str], ...]:
    """Return each port by manifest field: a number, or a place in the block that the job takes when it starts."""
    shared = target.kind in SHARED_KINDS
    rows = [(f"ray.ports.{name}", str(target.ray.ports.get(name, text))) for name, text in _ray(shared=shared).items()]
    for index, service in enumerate(service for service in target.services if service.has_port):
        planned = f"first + {BLOCK_SERVICES + index}" if shared else str(PLANNED_SERVICES + index)
        rows.append((f"services.{service.name}.port", str(service.port or planned)))
    return tuple(rows)


def _ray(*, shared: bool) -> dict[str, str]:
    if not shared:
        return {name: str(port) for name, port in PLANNED.items()}
    names = [name for name in PLANNED if name not in WORKER_BOUNDS]
    return {
        **{name: f"first + {index}" for index, name in enumerate(names)},
        "worker_min": "workers",
        "worker_max": "workers + 2047",
    }


def replaced_ports(target: Target) -> tuple[tuple[str, str], ...]:
    """Return what Ray's ports would be that the manifest sets, by manifest field."""
    planned = _ray(shared=target.kind in SHARED_KINDS)
    own = {name: port for name, port in target.ray.ports.items() if planned.get(name, str(port)) != str(port)}
    return tuple((f"ray.ports.{name}", planned[name]) for name in own)
