"""Ports that the target's own system holds: SkyPilot's Ray, dstack's agents and ssh."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import capability
from mngen.manifest.judging.finding import clause, finding, warning
from mngen.manifest.judging.port_plan import FixedPort, fixed_ports, fixes_workers, worker_range
from mngen.manifest.model import Target

_SKYPILOT = {
    6380: "GCS",
    8266: "dashboard",
    8076: "object manager",
    52365: "dashboard agent",
    10001: "client server",
}
_SKYPILOT_WORKERS = (11002, 19999)
_DSTACK = (10000, 10999)


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse ports of SkyPilot's own Ray and of dstack's reserved range."""
    fixed = fixed_ports(target)
    exposed = tuple(FixedPort(port, f"expose.{index}") for index, port in enumerate(target.expose))
    if target.kind == "skypilot":
        yield from _skypilot(target, fixed)
    elif target.kind == "dstack":
        yield from _dstack(target, (*fixed, *exposed))


def _skypilot(target: Target, ports: tuple[FixedPort, ...]) -> Iterator[Diagnostic]:
    low, high = _SKYPILOT_WORKERS
    for fixed in ports:
        if fixed.port in _SKYPILOT:
            yield finding(
                target,
                "MN215",
                fixed.field,
                f"{fixed.field} is {fixed.port}, the {_SKYPILOT[fixed.port]} of the Ray that SkyPilot itself runs",
                hint="use another port, or leave it out; " + capability("skypilot-own-ray").holds,
            )
        elif low <= fixed.port <= high:
            yield _skypilot_workers(target, fixed.field, str(fixed.port))
    span = worker_range(target) if fixes_workers(target) else None
    if span is not None and span[0] <= high and low <= span[1]:
        yield _skypilot_workers(target, "ray.ports.worker_min", f"{span[0]}-{span[1]}")


def _skypilot_workers(target: Target, field: str, ports: str) -> Diagnostic:
    return warning(
        target,
        "MN215",
        field,
        f"{field} ({ports}) meets the workers of SkyPilot's own Ray, which take ports from {_SKYPILOT_WORKERS[0]} on",
        hint="use ports from 20002 to 29999",
    )


def _dstack(target: Target, ports: tuple[FixedPort, ...]) -> Iterator[Diagnostic]:
    low, high = _DSTACK
    for fixed in ports:
        if low <= fixed.port <= high:
            yield finding(
                target,
                "MN215",
                fixed.field,
                f"{fixed.field} is {fixed.port}, which dstack keeps for itself",
                hint=f"use a port outside of {low}-{high}: {clause(capability('dstack-reserved-ports').holds)}",
            )
