"""Fixed ports: outside of what the kernel gives away, and a worker range that is one."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.port_plan import WORKER_BOUNDS, fixed_ports, fixes_workers, worker_range
from mngen.manifest.model import Target

_EPHEMERAL = (32768, 60999)  # the stock ip_local_port_range of Linux, Documentation/networking/ip-sysctl.rst


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse half, reversed or short worker ranges; warn about ports that any program may hold."""
    yield from _ephemeral(target)
    yield from _check_range(target)


def _ephemeral(target: Target) -> Iterator[Diagnostic]:
    low, high = _EPHEMERAL
    inside = [fixed for fixed in fixed_ports(target) if low <= fixed.port <= high]
    if inside:
        names = ", ".join(f"{fixed.field} ({fixed.port})" for fixed in inside)
        yield warning(
            target,
            "MN212",
            inside[0].field,
            f"{names}: the kernel serves outgoing connections from {low}-{high}, so any program may hold such a port "
            "when the job starts",
            hint=f"use ports below {low}, or leave them out",
            other=[fixed.field for fixed in inside[1:]],
        )


def _check_range(target: Target) -> Iterator[Diagnostic]:
    low, high = (target.ray.ports.get(name) for name in WORKER_BOUNDS)
    if (low is None) != (high is None):
        given, absent = WORKER_BOUNDS if high is None else WORKER_BOUNDS[::-1]
        yield finding(
            target,
            "MN213",
            f"ray.ports.{given}",
            f"ray.ports.{given} is set, but ray.ports.{absent} is not",
            hint="give both ends of the range, or neither",
        )
    elif low is not None and high is not None and low > high:
        yield finding(
            target,
            "MN213",
            "ray.ports.worker_min",
            f"ray.ports.worker_min ({low}) is above ray.ports.worker_max ({high})",
            hint="exchange the two",
            other=("ray.ports.worker_max",),
        )
    span = worker_range(target) if fixes_workers(target) else None
    need = (target.resources.cpus or 0) + target.resources.gpus
    if span is not None and span[1] - span[0] + 1 < need:
        yield finding(
            target,
            "MN213",
            "ray.ports.worker_min",
            f"the worker range {span[0]}-{span[1]} has {span[1] - span[0] + 1} ports, but Ray starts up to one worker "
            f"for each of {target.resources.cpus or 0} CPUs and more for actors",
            hint="give a range of at least a few hundred ports; Ray's own default has 10,000",
            other=("ray.ports.worker_max", "resources.cpus"),
        )
