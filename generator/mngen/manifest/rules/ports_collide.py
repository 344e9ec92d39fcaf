"""Fixed ports that meet: two fields with one port, or a port inside the workers' range."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.port_plan import (
    BLOCK_WORKERS,
    BLOCKS,
    SHARED_KINDS,
    FixedPort,
    fixed_ports,
    fixes_workers,
    planned_ports,
    worker_range,
)
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse fixed ports that cannot both be bound on one node; warn where only some jobs would meet."""
    owners: dict[int, FixedPort] = {port.port: port for port in planned_ports(target)}
    for fixed in fixed_ports(target):
        owner = owners.setdefault(fixed.port, fixed)
        if owner.field != fixed.field:
            planned = " (the job's own plan)" if owner.planned else ""
            yield finding(
                target,
                "MN214",
                fixed.field,
                f"{fixed.field} and {owner.field}{planned} are both {fixed.port}",
                hint="give one of them another port, or leave it out",
                other=() if owner.planned else (owner.field,),
            )
        yield from _among_workers(target, fixed)
        if target.kind in SHARED_KINDS:
            yield from _in_blocks(target, fixed)


def _among_workers(target: Target, fixed: FixedPort) -> Iterator[Diagnostic]:
    span = worker_range(target)
    if span is None or not span[0] <= fixed.port <= span[1]:
        return
    given = fixes_workers(target)
    yield finding(
        target,
        "MN214",
        fixed.field,
        f"{fixed.field} is {fixed.port}, within the ports of Ray's workers ({span[0]}-{span[1]}"
        + (")" if given else ", the job's own plan)"),
        hint="move the port, or the range (ray.ports.worker_min and worker_max)",
        other=("ray.ports.worker_min", "ray.ports.worker_max") if given else (),
    )


def _in_blocks(target: Target, fixed: FixedPort) -> Iterator[Diagnostic]:
    low, high = BLOCKS[0], BLOCKS[1] if fixes_workers(target) else BLOCK_WORKERS[1]
    if low <= fixed.port <= high:
        instead = "write auto" if fixed.field.startswith("services.") else "leave it out"
        yield warning(
            target,
            "MN248",
            fixed.field,
            f"{fixed.field} is {fixed.port}; jobs take their own ports from {low}-{high} by their number, so now and "
            "then a job would meet this one",
            hint=f"{instead}; a port below {low} is in no block, but still met by another job that fixes it too",
        )
