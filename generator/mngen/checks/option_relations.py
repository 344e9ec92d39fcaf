"""What a program refuses about several options together, or about a value beyond its form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mngen.checks.directives import clashes
from mngen.checks.gpu_counts import gpu_count_problems
from mngen.manifest.whole_numbers import whole_number

_Given = Sequence[tuple[str, "str | None"]]

_RAY_PORTS = (
    "--port",
    "--dashboard-port",
    "--ray-client-server-port",
    "--dashboard-agent-listen-port",
    "--dashboard-agent-grpc-port",
    "--node-manager-port",
    "--object-manager-port",
    "--runtime-env-agent-port",
    "--metrics-export-port",
)
_RAY_TEMP_DIR_BYTES = 43
"""A socket path is at most 107 bytes (``man 7 unix``), and Ray adds
``/session_<26 characters>_<pid>/sockets/plasma_store`` to its temp dir."""


def relation_problems(program: str, given: _Given, version: str | None) -> list[str]:
    """List what ``program`` refuses about the options ``given``, by long name and in order."""
    if program == "sbatch":
        return clashes(given, version) + gpu_count_problems(dict(given))
    if program == "srun":
        return clashes(given, version)
    if program in {"ray start", "ray symmetric-run"}:
        return _ray_start(given)
    if program in {"docker run", "podman run"}:
        return _container_run(given)
    if program.startswith("ray "):
        return list(_ray_address(dict(given)))
    return []


def _ray_start(given: _Given) -> list[str]:
    options = dict(given)
    problems = list(_ray_address(options))
    if "--head" in options and "--address" in options:
        problems.append("--head and --address: a head joins nothing")
    temp = options.get("--temp-dir")
    if temp is not None and len(temp.encode()) > _RAY_TEMP_DIR_BYTES:
        problems.append(f"--temp-dir: {len(temp.encode())} bytes; Ray's socket paths allow {_RAY_TEMP_DIR_BYTES}")
    node_ip = options.get("--node-ip-address")
    if node_ip is not None and node_ip.startswith("["):
        problems.append("--node-ip-address takes a bare address, without brackets")
    problems.extend(_ray_ports(options))
    return problems


def _ray_address(options: dict[str, str | None]) -> Iterable[str]:
    """Yield the fault of an IPv6 address without brackets: Ray splits host and port at colons."""
    address = options.get("--address")
    if address is None or "://" in address or address.startswith("["):
        return
    if address.count(":") > 1:
        yield f"--address: `{address}` is an IPv6 address without brackets; write [address]:port"
    elif address.startswith(":"):
        yield f"--address: `{address}` has no host"


def _ray_ports(options: dict[str, str | None]) -> Iterable[str]:
    given = {name: whole_number(options.get(name) or "") for name in _RAY_PORTS}
    pinned = {name: port for name, port in given.items() if port is not None}
    seen: dict[int, str] = {}
    for name, port in pinned.items():
        if port and port in seen:
            yield f"{name} and {seen[port]} are both {port}"
        seen[port] = name
        if port and not 1024 <= port <= 65535:
            yield f"{name}: {port} is not a port from 1024 to 65535"
    low, high = (whole_number(options.get(name) or "") for name in ("--min-worker-port", "--max-worker-port"))
    if low is None or high is None:
        return
    if low > high:
        yield f"--min-worker-port {low} is above --max-worker-port {high}"
    for name, port in pinned.items():
        if low <= port <= high:
            yield f"{name}: {port} lies in the worker range {low}-{high}"


def _container_run(given: _Given) -> list[str]:
    options = dict(given)
    problems: list[str] = []
    networks = [value for name, value in given if name in {"--network", "--net"}]
    if "host" in networks and ("--publish" in options or "--publish-all" in options):
        problems.append("--publish has no effect with --network host")
    if "--rm" in options and (options.get("--restart") or "no") != "no":
        problems.append("--rm and --restart exclude each other")
    if "--tty" in options and "--detach" not in options and "--interactive" not in options:
        problems.append("--tty without --interactive: nothing can be typed, and a job has no terminal")
    return problems
