"""The ports of a job: which variable has which, and how a script computes them.

On Slurm a job gets a block of its own (``templates/shell/ports.sh``); elsewhere a machine runs one
cluster at a time and the ports are fixed ones that do not meet Ray's, SkyPilot's or dstack's own.
"""

from __future__ import annotations

import re

from mngen.launch.layout import wrap
from mngen.launch.names import read_service_ports, service_port
from mngen.launch.ranks import Ranks
from mngen.launch.texts import part
from mngen.manifest.judging.port_plan import BLOCK_SERVICES, PLANNED, PLANNED_SERVICES, SHARED_KINDS, WORKER_BOUNDS
from mngen.manifest.model import Target
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


def _services(target: Target, read: frozenset[str], first: str, offset: int) -> list[str]:
    """Assignments for the ports of services that are read; ``first`` is empty where ports are fixed numbers."""
    out = []
    for index, service in enumerate(s for s in target.services if s.has_port):
        auto = f"$(({first} + {offset + index}))" if first else str(offset + index)
        if service.name in read:
            out.append(f"{service_port(service.name)}={service.port or auto}")
    return out


def _names_dashboard(target: Target) -> bool:
    """Whether a line of the head's, besides Ray's own options, speaks of the dashboard's port."""
    if target.driver.submit_from == "outside":
        return target.kind in {"slurm", "manual"}  # elsewhere what the user runs has the number
    return target.driver.submit == "ray-job"


def values(target: Target) -> dict[str, str]:
    """Each of Ray's ports as a shell word: in the job's own block, or the plan's; what the manifest fixes as it is."""
    if target.kind not in SHARED_KINDS:
        return {name: str(port) for name, port in {**PLANNED, **target.ray.ports}.items()}
    names = (name for name in PLANNED if name not in WORKER_BOUNDS)
    found = {name: f"$((first + {index}))" if index else '"${first}"' for index, name in enumerate(names)}
    found |= {"worker_min": '"${workers}"', "worker_max": "$((workers + 2047))"}
    return found | {name: str(port) for name, port in target.ray.ports.items()}


def options(target: Target) -> tuple[str, ...]:
    """Ray's port options of every node."""
    known = values(target)
    return tuple(f"{option}={known[name]}" for name, option in _OPTIONS.items())


def lines(target: Target, ranks: Ranks, *, loopback: bool) -> tuple[Raw, ...]:
    """Lines that set the ports, and with the head's its address; ``loopback`` where a part binds to this machine's own.

    The ports are of the job's own block, or numbers where a machine runs one cluster at a time.
    """
    shared, known = target.kind in SHARED_KINDS, values(target)
    first, offset = ("first", BLOCK_SERVICES) if shared else ("", PLANNED_SERVICES)
    found = [f"GCS_PORT={known['gcs']}"]
    if ranks.has_head and _names_dashboard(target):
        found.append(f"DASHBOARD_PORT={known['dashboard']}")
    found += _services(target, read_service_ports(part(target, ranks)), first, offset)
    names = {"first": "$((10240 + 32 * PORT_BLOCK))", "workers": "$((18432 + 2048 * (PORT_BLOCK % 7)))"}
    found.append("HEAD_ADDRESS=${HEAD_IP}:${GCS_PORT}")
    if loopback and ranks.has_head:
        found.append("LOOPBACK=127.0.0.1")
    used = " ".join((*found, *known.values()))
    needed = [f"{name}={value}" for name, value in names.items() if re.search(rf"\b{name}\b", used)]
    own = (Raw(f"local {' '.join(needed)}"),) if needed else ()
    return (*own, *wrap(found, indent=2))


def fixed_service_ports(target: Target) -> dict[str, str]:
    """Variables and values of services' ports where ports are fixed numbers."""
    return dict(line.split("=", 1) for line in _services(target, read_service_ports(target), "", PLANNED_SERVICES))
