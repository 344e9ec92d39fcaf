"""``expose`` and Ray's own ports: on SkyPilot they are open to the internet, where whoever reaches Ray can run code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.port_plan import fixed_ports, planned_ports
from mngen.manifest.judging.ray_token import unprotected
from mngen.manifest.model import Target

_RANGE = r"\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?"


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse ports of Ray that SkyPilot opens while no token is asked for; the dashboard has rules of its own."""
    why = unprotected(target) if target.kind == "skypilot" else None
    if why is None:
        return
    ports = {one.port: one.field for one in (*planned_ports(target), *fixed_ports(target))}
    ray = {port: field for port, field in ports.items() if _is_ray(field)}
    for field, low, high in _opened(target):
        named = [f"{port} ({ray[port]})" for port in sorted(ray) if low <= port <= high]
        if named:
            message = (
                f"{field} opens {', '.join(named)} to the internet, and {why.text}: anyone can run code as you there"
            )
            hint = "remove it: the nodes reach each other without; from outside, `ssh -L PORT:localhost:PORT CLUSTER`"
            yield finding(target, "MN204", field, message, hint=hint, other=(why.field,) if why.field else ())


def _is_ray(field: str) -> bool:
    return field.startswith("ray.ports.") and field != "ray.ports.dashboard"


def _opened(target: Target) -> Iterator[tuple[str, int, int]]:
    """Iterate over the ports that the task opens: the field, and the first and last of a range.

    https://docs.skypilot.co/en/latest/reference/yaml-spec.html#resources-ports
    """
    for index, port in enumerate(target.expose):
        yield f"expose.{index}", port, port
    resources = target.raw.get("resources")
    found: Any = resources.get("ports") if isinstance(resources, dict) else None
    for part in found if isinstance(found, (list, tuple)) else [found]:
        match = re.fullmatch(_RANGE, str(part))
        if match is not None:
            yield "raw.resources.ports", int(match[1]), int(match[2] or match[1])
