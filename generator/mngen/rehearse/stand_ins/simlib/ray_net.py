"""How the parts of a simulated Ray cluster talk: one JSON object a line over TCP, answered by one."""

import json
import os
import socket
from pathlib import Path
from typing import Any


class NoClusterError(Exception):
    """The cluster at an address did not answer, or refused."""


def split_address(text: str) -> tuple[str, int]:
    """`host:port` or `[v6]:port`; a bare IPv6 address is refused as Ray refuses it."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or (":" in host and not (host.startswith("[") and host.endswith("]"))):
        raise ValueError(f"Invalid address format: {text}")
    return host.removeprefix("[").removesuffix("]"), int(port)


def token(version: tuple[int, ...]) -> str | None:
    """The token this process would use: None where authentication is off or unknown to this Ray."""
    mode = os.environ.get("RAY_AUTH_MODE", "")
    home = Path(os.environ.get("HOME", "/nonexistent"), ".ray/auth_token")
    if version < (2, 52) or mode == "disabled" or (not mode and not (version >= (2, 59) and home.exists())):
        return None
    if os.environ.get("RAY_AUTH_TOKEN"):
        return os.environ["RAY_AUTH_TOKEN"].strip()
    if os.environ.get("RAY_AUTH_TOKEN_PATH"):
        return Path(os.environ["RAY_AUTH_TOKEN_PATH"]).read_text().strip()
    if home.exists():
        return home.read_text().strip()
    raise RuntimeError(
        "Failed to load authentication token. To generate a token for local development, use `ray get-auth-token --generate`."
    )


def connect(address: str, timeout: float = 5) -> socket.socket:
    """A connection to the head."""
    try:
        return socket.create_connection(split_address(address), timeout=timeout)
    except OSError as error:
        raise NoClusterError(f"Failed to connect to GCS at address {address}: {error}") from error


def ask(address: str, message: dict[str, Any], timeout: float = 5) -> dict[str, Any]:
    """One question to the head."""
    with connect(address, timeout) as sock:
        try:
            sock.sendall(json.dumps(message).encode() + b"\n")
            with sock.makefile("r") as lines:
                line = lines.readline()
        except OSError as error:
            raise NoClusterError(f"No answer from GCS at {address}: {error}") from error
    if not line:
        raise NoClusterError(f"GCS at {address} closed the connection")
    answer: dict[str, Any] = json.loads(line)
    if "error" in answer:
        raise NoClusterError(answer["error"])
    return answer
