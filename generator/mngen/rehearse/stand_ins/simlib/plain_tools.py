"""What tells a node of plain processes its name, its addresses and what listens: `getent`, `ip`, `ss`, `hostname`, …

Each knows what generated files ask of it, in the words of the original.
"""

import ipaddress
import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from simlib import loopback
from simlib.options import RefusedError
from simlib.place import Sim

Held = tuple[str, ipaddress.IPv4Interface | ipaddress.IPv6Interface]
_LISTENS = "0A"


def _hosts(sim: Sim, name: str) -> list[str]:
    try:
        return [str(ipaddress.ip_address(name))]
    except ValueError:
        lines = (sim.root / "nodes" / sim.here / "hosts").read_text().splitlines()
        return [words[0] for words in (line.split() for line in lines) if name in words[1:]]


def getent(root: str) -> int:
    """`getent hosts|ahosts|ahostsv4|ahostsv6 NAME`; status 2 where nothing is known."""
    table, name = [*sys.argv[1:], "", ""][:2]
    if not re.fullmatch(r"a?hosts(v[46])?", table):
        return _real("getent")
    wanted = table[-2:] if table[-2] == "v" else ""
    found = [one for one in _hosts(Sim(root), name) if wanted in ("", "v6" if ":" in one else "v4")]
    for one in found:
        print(f"{one:<15} {'STREAM ' if table.startswith('a') else ''}{name}")
    return 0 if found else 2


def _held(sim: Sim) -> list[Held]:
    """What `ip address add` was to have set on this node, in that order, loopback first."""
    found = [("lo", ipaddress.ip_interface("127.0.0.1/8")), ("lo", ipaddress.ip_interface("::1/128"))]
    for line in sim.node().get("ip_batch", ()):
        words = line.split()
        if words[:2] == ["addr", "add"]:
            found.append((words[words.index("dev") + 1], ipaddress.ip_interface(words[2])))
    return found


def ip(root: str) -> int:
    """`ip [-o] [-4|-6] address show …` and `ip [-o] route get ADDRESS`."""
    sim = Sim(root)
    flags = [word for word in sys.argv[1:] if word.startswith("-")]
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    if words[:2] == ["route", "get"]:
        return _route(sim, ipaddress.ip_address(words[2]))
    if words[:1] not in (["address"], ["addr"], ["a"]):
        raise RefusedError(f"ip: {' '.join(sys.argv[1:])!r} is not known on a node of plain processes", 1)
    given = dict(zip(words[2::2], words[3::2], strict=False))
    inside = ipaddress.ip_network(given["to"], strict=False) if "to" in given else None
    held = _held(sim)
    devices = list(dict.fromkeys(device for device, _ in held))
    for device, own in held:
        family = f"-{own.version}"
        shown = device == given.get("dev", device) and (inside is None or own.ip in inside)
        shown = shown and not (given.get("scope") == "global" and device == "lo")
        if shown and (family in flags or not {"-4", "-6"} & set(flags)):
            kind, scope = "inet" if own.version == 4 else "inet6", "host" if device == "lo" else "global"
            print(
                f"{devices.index(device) + 1}: {device}    {kind} {own} scope {scope} {device}\\       valid_lft forever"
            )
    return 0


def _route(sim: Sim, peer: ipaddress.IPv4Address | ipaddress.IPv6Address) -> int:
    held = [item for item in _held(sim) if item[1].version == peer.version]
    near = [item for item in held if peer in item[1].network]
    default = any(line.startswith("route add default via ") for line in sim.node().get("ip_batch", ()))
    for device, own in near or [item for item in held if default and item[0] != "lo"]:
        way = f"local {peer} dev lo" if own.ip == peer else f"{peer} dev {device}"
        print(f"{way} src {own.ip} uid {os.getuid()} \\    cache")
        return 0
    raise RefusedError("RTNETLINK answers: Network is unreachable", 2)


def ss(root: str) -> int:
    """`ss -Hltn "sport >= :A and sport <= :B"`: what listens on this node, on ports of this range."""
    found = re.fullmatch(r"sport >= :(\d+) and sport <= :(\d+)", sys.argv[-1])
    if found is None:
        raise RefusedError(f"ss: {sys.argv[-1]!r} is not known on a node of plain processes", 1)
    for host, port in _listening():
        if int(found[1]) <= port <= int(found[2]) and host in (loopback.own()["own"], loopback.own()["lo"], "0.0.0.0"):
            print(f"LISTEN 0      128    {host}:{port}    0.0.0.0:*")
    return 0


def _listening() -> Iterator[tuple[str, int]]:
    """Addresses that listen on this machine, from /proc/net/tcp and tcp6 (proc_net_tcp in the kernel's documentation)."""
    for name in ("tcp", "tcp6"):
        path = Path("/proc/net", name)
        for line in path.read_text().splitlines()[1:] if path.exists() else ():
            words = line.split()
            host, _, port = words[1].partition(":")
            if words[3] == _LISTENS:
                last = bytes.fromhex(host[-8:])[:: -1 if sys.byteorder == "little" else 1]
                yield (socket.inet_ntoa(last) if name == "tcp" or set(host) != {"0"} else "0.0.0.0"), int(port, 16)


def hostname(root: str) -> int:
    """`hostname`, `-s`, `-I` and `-i`."""
    sim = Sim(root)
    if sys.argv[1:] and sys.argv[1] in ("-I", "--all-ip-addresses"):
        print(" ".join(loopback.own()["addresses"]))
    elif sys.argv[1:] and sys.argv[1] in ("-i", "--ip-address"):
        print(" ".join(_hosts(sim, sim.here)))
    else:
        print(sim.here)
    return 0


def uname(root: str) -> int:
    """`uname -n`; whatever else is the machine's."""
    if sys.argv[1:] != ["-n"]:
        return _real("uname")
    print(Sim(root).here)
    return 0


def df(root: str) -> int:
    """What is free in a node's /dev/shm; whatever else is the machine's."""
    if "/dev/shm" not in sys.argv[1:]:
        return _real("df")
    print(f"Avail\n{Sim(root).shm_free() >> 10}")
    return 0


def connect(_root: str) -> int:
    """`sim-connect HOST PORT`, in the place of bash's /dev/tcp: whether something listens there."""
    try:
        socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=5).close()
    except OSError as error:
        print(f"sim-connect: {error}", file=sys.stderr)
        return 1
    return 0


def _real(name: str) -> int:
    path = shutil.which(name, path=os.defpath) or name
    os.execv(path, [name, *sys.argv[1:]])
