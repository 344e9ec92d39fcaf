"""Ports after an address: one too many, or without the brackets that IPv6 needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import note, warning
from mngen.manifest.judging.placed_texts import cluster_texts
from mngen.manifest.model import Target
from mngen.manifest.text import Ref, Text

_PORT = re.compile(r":[\d$]")
_IN_URLS = {"head_ip": "head_host", "node_ip": "node_host"}


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn of a port after `head_address`, and after a bare address unless it is IPv4."""
    for field, text in cluster_texts(target):
        for name in _with_port(text):
            if name == "head_address":
                message = f"{field} has a port after head_address, which has one already: the head's IP:PORT:PORT"
                yield warning(target, "MN120", field, message, hint="write ${{ head_host }} before a port of your own")
            elif name in _IN_URLS and not _is_ipv4(target):
                message = f"{field} has a port after {name}, which on IPv6 has no brackets: fd00::1:8000 is no address"
                say, hint = warning if _is_ipv6(target) else note, f"write ${{{{ {_IN_URLS[name]} }}}}"
                yield say(target, "MN120", field, message, hint=f"{hint}, which is the same on IPv4")


def _with_port(text: Text) -> Iterator[str]:
    """Yield the placeholders after which a port stands, written out, in a variable or as a placeholder."""
    for index, (part, after) in enumerate(pairwise(text.parts), start=2):
        if isinstance(part, Ref) and isinstance(after, str):
            named = after == ":" and index < len(text.parts)
            if named or _PORT.match(after):
                yield part.name


def _is_ipv4(target: Target) -> bool:
    return target.network.family == "ipv4" or (target.network.cidr is not None and ":" not in target.network.cidr)


def _is_ipv6(target: Target) -> bool:
    return target.network.family == "ipv6" or (target.network.cidr is not None and ":" in target.network.cidr)
