"""The ports of a job: which variable has which, and how a script computes them.

On Slurm a job gets a block of its own (``templates/shell/ports.sh``); elsewhere a machine runs one
cluster at a time and the ports are fixed ones that do not meet Ray's, SkyPilot's or dstack's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mngen.launch.layout import wrap
from mngen.launch.names import service_port
from mngen.manifest.model import Target
from mngen.manifest.rules.port_plan import BLOCK_SERVICES, PLANNED, PLANNED_SERVICES, WORKER_BOUNDS
from mngen.plan import Raw

# Options that every node gets; the head's own three ports have variables, because other lines need them.
_OPTIONS = {
    "node_manager": "--node-manager-port",
    "object_manager": "--object-manager-port",
    "worker_min": "--min-worker-port",
    "worker_max": "--max-worker-port",
    "agent": "--dashboard-agent-listen-port",
    "agent_grpc": "--dashboard-agent-grpc-port",
    "runtime_env_agent": "--runtime-env-agent-port",
    "metrics": "--metrics-export-port",
}


def _services(target: Target, first: str, offset: int) -> list[str]:
    """Assignments for the ports of services; ``first`` is empty where ports are fixed numbers."""
    out = []
    for index, service in enumerate(s for s in target.services if s.has_port):
        auto = f"$(({first} + {offset + index}))" if first else str(offset + index)
        out.append(f"{service_port(service.name)}={service.port or auto}")
    return out


def _lines(target: Target, values: Mapping[str, str], services: list[str]) -> tuple[Raw, ...]:
    heads = [f"GCS_PORT={values['gcs']}"]
    if target.ray.dashboard.enabled:
        heads.append(f"DASHBOARD_PORT={values['dashboard']}")
    heads.append(f"CLIENT_PORT={values['client']}")
    options = [f"{option}={values[name]}" for name, option in _OPTIONS.items()]
    return (
        Raw(" ".join(heads)),
        *wrap(services, indent=2),
        Raw("PORT_OPTIONS=("),
        *(Raw(f"  {line}") for line in wrap(options)),
        Raw(")"),
    )


def block_ports(target: Target) -> tuple[Raw, ...]:
    """Lines that set the ports from the job's own block; a port that the manifest fixes is a literal."""
    values = {
        name: "$((first))" if index == 0 else f"$((first + {index}))"
        for index, name in enumerate(name for name in PLANNED if name not in WORKER_BOUNDS)
    }
    values |= {"worker_min": "$((workers))", "worker_max": "$((workers + 2047))"}
    values |= {name: str(port) for name, port in target.ray.ports.items()}
    lines = _lines(target, values, _services(target, "first", BLOCK_SERVICES))
    used = " ".join(lines)
    names = {"first": "$((10240 + 32 * PORT_BLOCK))", "workers": "$((18432 + 2048 * (PORT_BLOCK % 7)))"}
    needed = [f"{name}={value}" for name, value in names.items() if re.search(rf"\b{name}\b", used)]
    return (Raw(f"local {' '.join(needed)}"), *lines) if needed else lines


def fixed_ports(target: Target, *, head: bool = True) -> tuple[Raw, ...]:
    """Lines that set the ports of a machine that runs one cluster at a time; a worker needs fewer."""
    values = {name: str(port) for name, port in {**PLANNED, **target.ray.ports}.items()}
    lines = _lines(target, values, _services(target, "", PLANNED_SERVICES))
    return lines if head else (Raw(f"GCS_PORT={values['gcs']}"), *lines[1:])


def fixed_service_ports(target: Target) -> dict[str, str]:
    """Variables and values of services' ports where ports are fixed numbers."""
    return dict(line.split("=", 1) for line in _services(target, "", PLANNED_SERVICES))
