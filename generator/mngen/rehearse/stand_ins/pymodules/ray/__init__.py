"""A stand-in for Ray's Python package: enough of it to see the nodes of a simulated cluster."""

import os
import sys
from pathlib import Path
from typing import Any

from ray import exceptions as exceptions
from simlib import ray_find, ray_net
from simlib.place import Sim

_sim = Sim(str(Path(sys.prefix).parent))
__version__: str = str(_sim.node().get("ray_version") or _sim.config["ray"]["version"])
_connected: dict[str, Any] = {}


def _ask(op: str) -> dict[str, Any]:
    version = tuple(int(part) for part in __version__.split("."))
    message = {
        "op": op,
        "token": ray_net.token(version),
        "version": __version__,
        "python": _sim.node().get("python_version") or ".".join(str(part) for part in sys.version_info[:3]),
    }
    return ray_net.ask(_connected["address"], message)


def init(address: str | None = None, **options: Any) -> Any:
    """Connect to a running cluster; one that is not there is an error."""
    where = ray_find.address(address)
    _sim.record(
        "ray_init",
        address=address,
        env_address=os.environ.get("RAY_ADDRESS"),
        options={k: repr(v) for k, v in options.items()},
        argv=sys.argv,
        pid=os.getpid(),
    )
    if where is None:
        raise ConnectionError(f"ray.init({address!r}) without a cluster's address would start another cluster")
    if _connected:
        raise RuntimeError("Maybe you called ray.init twice by accident?")
    _connected["address"] = where
    try:
        _connected.update(_ask("info"))
    except ray_net.NoClusterError as error:
        _connected.clear()
        raise ConnectionError(str(error)) from error
    return _connected


def is_initialized() -> bool:
    """Whether `init` has run."""
    return bool(_connected)


def nodes() -> list[dict[str, Any]]:
    """The table of nodes, dead ones too."""
    try:
        found: list[dict[str, Any]] = _ask("nodes")["nodes"]
    except ray_net.NoClusterError as error:
        raise exceptions.RaySystemError(str(error)) from error
    return found


def cluster_resources() -> dict[str, float]:
    """Sum over the nodes that are alive."""
    total: dict[str, float] = {}
    for node in nodes():
        if node["Alive"]:
            for name, amount in node["Resources"].items():
                total[name] = total.get(name, 0.0) + amount
    return total


available_resources = cluster_resources


def shutdown() -> None:
    """Disconnect."""
    _connected.clear()
