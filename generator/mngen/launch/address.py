"""How addresses are found: the head's before anything starts, each node's own on the way to it."""

from __future__ import annotations

from mngen.launch.ranks import Ranks
from mngen.manifest.model import Target
from mngen.plan import Raw


def _filtered(target: Target) -> bool:
    return bool(target.network.interface or target.network.cidr)


def modules(target: Target, *, head: bool, alone: bool, python: bool = False) -> tuple[str, ...]:
    """Shell modules of a script that finds addresses.

    ``head`` when it chooses the head's, ``alone`` when it knows no other node by name, ``python`` where an image
    may lack the ``ip`` program.
    """
    own = ("node_by_socket",) if python else ()
    if _filtered(target):
        first = ("own_addresses", "head_by_interface") if head else ("own_addresses",)
        return (*first, *(own or ("node_by_interface",)))
    if head and target.network.host_suffix:
        return ("head_by_suffix", *(own or ("address_towards",)))
    return ("address_towards", *(("own_addresses", "head_alone") if head and alone else ()), *own)


def choose_head(target: Target, *, alone: bool) -> Raw:
    """The line that sets ``HEAD_IP``."""
    if alone or _filtered(target) or target.network.host_suffix:
        return Raw("choose_head_address")
    return Raw(
        'HEAD_IP=$(address_towards "${NODE_NAMES[1]}") \\\n'
        '    || fail 75 "no address on the way to ${NODE_NAMES[1]} (IP version ${IP_VERSIONS[*]})"'
    )


def choose_own(target: Target, ranks: Ranks, *, python: bool = False) -> tuple[str, ...]:
    """Lines that set ``NODE_IP``, this node's own address on the way to the head, and its interface."""
    if python or _filtered(target):
        return ("choose_node_address",)
    search = 'NODE_IP=$(address_towards "${HEAD_IP}") || fail 75 "no route to the head at ${HEAD_IP}"'
    holder = 'read -r _ NODE_INTERFACE _ < <(ip -o address show to "${NODE_IP}")'
    nowhere = 'fail 75 "no interface here has ${NODE_IP}"'
    return (
        *(("NODE_IP=${HEAD_IP}",) if ranks.has_head else ()),
        *ranks.on_workers(search),
        f"{holder} || {nowhere}",
    )
