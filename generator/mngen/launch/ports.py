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
from mngen.plan import Raw

# In this order a block's first ports are used; the names are those of ``ray.ports``.
_ORDER = (
    "gcs",
    "dashboard",
    "client",
    "agent",
    "agent_grpc",
    "node_manager",
    "object_manager",
    "runtime_env_agent",
    "metrics",
)
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
_FIRST_SERVICE = 16
# Fixed plan: clear of SkyPilot's own Ray (6380, 8266, 8076, 10001, 52365, 11002 up) and of dstack's 10000-10999.
_FIXED = {
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
_FIXED_SERVICE = 20016


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
    values = {name: "$((first))" if index == 0 else f"$((first + {index}))" for index, name in enumerate(_ORDER)}
    values |= {"worker_min": "$((workers))", "worker_max": "$((workers + 2047))"}
    values |= {name: str(port) for name, port in target.ray.ports.items()}
    lines = _lines(target, values, _services(target, "first", _FIRST_SERVICE))
    used = " ".join(lines)
    names = {"first": "$((10240 + 32 * PORT_BLOCK))", "workers": "$((18432 + 2048 * (PORT_BLOCK % 7)))"}
    needed = [f"{name}={value}" for name, value in names.items() if re.search(rf"\b{name}\b", used)]
    return (Raw(f"local {' '.join(needed)}"), *lines) if needed else lines


def fixed_ports(target: Target, *, head: bool = True) -> tuple[Raw, ...]:
    """Lines that set the ports of a machine that runs one cluster at a time; a worker needs fewer."""
    values = {name: str(port) for name, port in {**_FIXED, **target.ray.ports}.items()}
    lines = _lines(target, values, _services(target, "", _FIXED_SERVICE))
    return lines if head else (Raw(f"GCS_PORT={values['gcs']}"), *lines[1:])


def fixed_service_ports(target: Target) -> dict[str, str]:
    """Variables and values of services' ports where ports are fixed numbers."""
    return dict(line.split("=", 1) for line in _services(target, "", _FIXED_SERVICE))


def table(target: Target, *, block: bool) -> tuple[tuple[str, str], ...]:
    """Say for people who gets which port: a number, or with ``block`` a place in the job's own block."""
    if block:
        auto = {name: f"first + {index}" for index, name in enumerate(_ORDER)}
        auto |= {"worker_min": "workers", "worker_max": "workers + 2047"}
    else:
        auto = {name: str(port) for name, port in _FIXED.items()}
    rows = [(f"ray.ports.{name}", str(target.ray.ports.get(name, text))) for name, text in auto.items()]
    for index, service in enumerate(s for s in target.services if s.has_port):
        text = f"first + {_FIRST_SERVICE + index}" if block else str(_FIXED_SERVICE + index)
        rows.append((f"services.{service.name}.port", str(service.port or text)))
    return tuple(rows)
