"""The network of nodes that are plain processes: sockets on addresses of 127/8, which Linux answers without set-up.

A program says and hears a node's own addresses (`10.77.0.1`, `fd77::1`); below that, each node has two addresses of
loopback, one for those and one in the place of its 127.0.0.1. Nothing leaves this machine: what is no node's address
cannot be reached.
"""

import errno
import ipaddress
import json
import os
import socket
from pathlib import Path
from typing import Any

LOOPBACK = ("localhost", "127.0.0.1", "::1")
ANY = ("", "0.0.0.0", "::")
_table: dict[str, Any] = {}


def own() -> dict[str, Any]:
    """This node's part of the table: `own` and `lo`, addresses of 127/8, and the `addresses` that they stand for."""
    found: dict[str, Any] = _table[os.environ["SIM_NODE"]]
    return found


def _bindable(host: str) -> str:
    if host in ANY or host in own()["addresses"]:
        return str(own()["own"])
    if host in LOOPBACK or host.startswith("127."):
        return str(own()["lo"])
    raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))


def _reachable(host: str, *, sends: bool) -> list[str]:
    """Where to look for a host: what listens on all addresses listens on loopback too."""
    if host in LOOPBACK or host.startswith("127."):
        return [own()["lo"], own()["own"]]
    found = [entry["own"] for entry in _table.values() if host in entry["addresses"]]
    if not found and not sends:  # a datagram socket only asks for the way
        return [own()["own"]]
    if not found:
        raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))
    return found


class NodeSocket(socket.socket):
    """A socket of a node; one of IPv6 is one of IPv4 below, since IPv6 has a single address of loopback."""

    def __init__(self, family: int = -1, type: int = -1, proto: int = -1, fileno: int | None = None) -> None:  # noqa: A002 - the names are the parent's
        self._six = family == socket.AF_INET6
        super().__init__(socket.AF_INET if self._six and fileno is None else family, type, proto, fileno)
        self._shown = ""

    def setsockopt(self, *args: Any) -> None:
        """As the parent, but options of IPv6 say nothing to it."""
        if args[0] != socket.IPPROTO_IPV6:
            super().setsockopt(*args)

    def bind(self, address: Any) -> None:
        """As the parent, on the node's own address."""
        if self.family != socket.AF_INET:
            super().bind(address)
            return
        super().bind((_bindable(address[0]), address[1]))
        self._shown = address[0]

    def connect(self, address: Any) -> None:
        """As the parent, to the node that has this address."""
        if self.family != socket.AF_INET:
            super().connect(address)
            return
        hosts = _reachable(address[0], sends=self.type & 0xF == socket.SOCK_STREAM)
        # Linux tells a socket with a time limit of its failure once more, as an abort, before it may try again.
        for host in hosts if len(hosts) == 1 else (hosts[0], hosts[1], hosts[1]):
            try:
                super().connect((host, address[1]))
                break
            except (ConnectionRefusedError, ConnectionAbortedError) as error:
                failed = error
        else:
            raise failed
        self._shown = address[0] if address[0] in LOOPBACK else self._source()

    def getsockname(self) -> Any:
        """As the parent, with the address that the node knows."""
        found = super().getsockname()
        return (self._shown, found[1], *((0, 0) if self._six else ())) if self._shown else found

    def _source(self) -> str:
        same = [one for one in own()["addresses"] if (":" in one) == self._six]
        return str(same[0]) if same else "127.0.0.1"


def _lookup(real: Any) -> Any:
    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            ipaddress.ip_address(host or "::")
        except ValueError:
            host = next(iter(_table.get(host, {}).get("addresses", ())), host)
        return real(host, *args, **kwargs)

    return getaddrinfo


def install(root: str) -> None:
    """Give this Python the sockets of its node."""
    _table.update(json.loads(Path(root, "sim.json").read_text())["loopback"])
    socket.getaddrinfo = _lookup(socket.getaddrinfo)
    socket.socket = NodeSocket  # type: ignore[misc] # every user of the module is to have it
