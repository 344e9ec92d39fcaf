"""``network``: an interface that reaches other nodes, and a range of the family that is asked for."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.judging.finding import finding, graded
from mngen.manifest.model import Target

_LOCAL = re.compile(
    r"lo\d*|(?:docker|cni|podman|virbr|lxcbr|kube-ipvs)\d+|br-[0-9a-f]{12}|flannel[.\d]+|(?:veth|cali)\w+"
)


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse loopback and container bridges as interface, a malformed range, and one of the other family."""
    interface = target.network.interface
    if interface is not None and _LOCAL.fullmatch(interface):
        yield finding(
            target,
            "MN280",
            "network.interface",
            f"network.interface is {interface}, which each node has for itself: other nodes cannot reach its address",
            hint="name the interface of the cluster's network (`ip -br addr` on a node), or leave it out",
        )
    if interface is not None and not re.fullmatch(r"[^\s/:,^=]{1,15}", interface):
        yield finding(
            target,
            "MN280",
            "network.interface",
            f"network.interface is {interface!r}, which is no name of one interface",
            hint="one name of at most 15 characters; NCCL's lists go to env: {NCCL_SOCKET_IFNAME: …}",
        )
    chosen = [name for name in ("interface", "cidr", "host_suffix") if getattr(target.network, name) is not None]
    if len(chosen) > 1:
        fields = [f"network.{name}" for name in chosen]
        message = f"{' and '.join(fields)} each choose the nodes' addresses, and only one can"
        yield finding(target, "MN280", fields[1], message, hint="keep the one that the site tells", other=fields[:1])
    if target.network.cidr is not None:
        yield from _cidr(target, target.network.cidr)


def _cidr(target: Target, text: str) -> Iterator[Diagnostic]:
    field = "network.cidr"
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError:
        message = f"network.cidr {text!r} is no range of addresses"
        yield finding(target, "MN280", field, message, hint="write for example 10.0.0.0/8 or fd00::/8")
        return
    family = target.network.family
    if family not in {"auto", f"ipv{network.version}"}:
        message = f"network.family is {family}, but network.cidr {text} is IPv{network.version}"
        yield finding(target, "MN280", field, message, hint="change one of the two", other=("network.family",))
    if network.is_loopback or network.is_link_local:
        message = f"network.cidr {text} has addresses that other nodes cannot reach"
        yield finding(target, "MN280", field, message, hint="name the cluster's network")
    if network.prefixlen == network.max_prefixlen and target.resources.nodes > 1:
        message = f"network.cidr {text} is one address, but there are {target.resources.nodes} nodes"
        yield graded(
            Severity.WARNING if "/" not in text else Severity.ERROR,
            finding(
                target,
                "MN280",
                field,
                message,
                hint="write the network that holds all nodes",
                other=("resources.nodes",),
            ),
        )
