"""Fixed ports that meet: two fields with one port, or a port inside the workers' range."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.model import Target
from mngen.manifest.rules.finding import finding
from mngen.manifest.rules.port_plan import fixed_ports, worker_range


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse fixed ports that cannot both be bound on one node."""
    owners: dict[int, str] = {}
    span = worker_range(target)
    for fixed in fixed_ports(target):
        owner = owners.setdefault(fixed.port, fixed.field)
        if owner != fixed.field:
            yield finding(
                target,
                "MN214",
                fixed.field,
                f"{fixed.field} and {owner} are both {fixed.port}",
                hint="give one of them another port, or leave it out",
                other=(owner,),
            )
        if span is not None and span[0] <= fixed.port <= span[1]:
            yield finding(
                target,
                "MN214",
                fixed.field,
                f"{fixed.field} ({fixed.port}) is in the range of Ray's workers, {span[0]}-{span[1]}; Ray refuses that",
                hint="move the port or the range (ray.ports.worker_min, worker_max)",
                other=("ray.ports.worker_min", "ray.ports.worker_max"),
            )
