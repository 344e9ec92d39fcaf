"""Ray's rules for ports, checked before anything starts and then by binding real sockets."""

import socket
from typing import Any

from simlib.options import Parsed, RefusedError

DEFAULTS = {"ray-client-server-port": 10001, "dashboard-port": 8265, "dashboard-agent-listen-port": 52365}
HEAD_ONLY = ("port", "ray-client-server-port", "dashboard-port")
ALL = (
    "port",
    "ray-client-server-port",
    "dashboard-port",
    "dashboard-agent-listen-port",
    "dashboard-agent-grpc-port",
    "node-manager-port",
    "object-manager-port",
    "runtime-env-agent-port",
    "metrics-export-port",
)


def chosen(parsed: Parsed, *, head: bool) -> dict[str, int]:
    """Each port by its option's name; 0 is Ray's own random choice."""
    ports = {}
    for name in ALL:
        if name in HEAD_ONLY and not head:
            continue
        text = parsed.last(name)
        if text is not None and not text.isdecimal():
            raise RefusedError(f"Error: Invalid value for '--{name}': '{text}' is not a valid integer.", 2)
        default = 6379 if name == "port" else DEFAULTS.get(name, 0)
        ports[name] = int(text) if text is not None else default
    return ports


def check(ports: dict[str, int], parsed: Parsed) -> None:
    """Ray refuses low ports, equal ports and ports inside the range of its workers."""
    low = int(parsed.last("min-worker-port") or 10002)
    high = int(parsed.last("max-worker-port") or 19999)
    if parsed.has("max-worker-port") and not parsed.has("min-worker-port"):
        raise RefusedError("ValueError: --min-worker-port must be set when --max-worker-port is")
    if low > high or low < 1024 or high > 65535:
        raise RefusedError(f"ValueError: worker ports {low}-{high} are not in range [1024, 65535].")
    seen: dict[int, str] = {}
    for name, port in ports.items():
        if port == 0:
            continue
        if not 1024 <= port <= 65535:
            raise RefusedError(f"ValueError: port number {port} is not in range [1024, 65535] ({name}).")
        if port in seen or low <= port <= high:
            raise RefusedError(
                f"ValueError: Ray component {seen.get(port, 'worker_ports')} is trying to use a port number {port} that is used by other components."
            )
        seen[port] = name


def bind(
    ports: dict[str, int], own: str, dashboard_host: str | None
) -> tuple[dict[str, socket.socket], dict[str, Any]]:
    """Listen on every port; sockets and the numbers they got."""
    sockets, numbers = {}, {}
    for name, port in ports.items():
        host = own
        if name in ("port", "node-manager-port", "object-manager-port"):
            host = "*"  # GCS and the raylet listen on every address
        elif name == "dashboard-port":
            if dashboard_host is None:
                continue
            host = dashboard_host
        try:
            sockets[name] = _listen(host, port)
        except OSError as error:
            raise RefusedError(f"Failed to bind {name} {host}:{port}: {error.strerror}") from error
        numbers[name] = sockets[name].getsockname()[1]
    return sockets, numbers


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host or host == "*" else socket.AF_INET
    try:
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if host == "*" else 1)
        sock.bind(("::" if host == "*" else host, port))
    except OSError as error:
        if host != "*" or error.errno == 98:
            raise
        return _listen("0.0.0.0", port)
    sock.listen(64)
    return sock
