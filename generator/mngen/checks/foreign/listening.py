"""Who reaches a server, by the address that it is told to listen on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import IntEnum
from ipaddress import ip_address

from mngen.checks.foreign.script import Script

_REFERENCE = re.compile(r"\$(?:\{([A-Za-z_]\w*)(?:\[[^]]*\])?(?::?[-=](.*))?[^}]*\}|([A-Za-z_]\w*))", re.DOTALL)
_OWN_NAME = re.compile(r"localhost(?:\.localdomain)?|ip6-(?:localhost|loopback)", re.IGNORECASE)
_HOST_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?")
_OWN_ADDRESS = re.compile(r"\b127\.\d|::1\b|\blocalhost\b")
_OF_A_NODE = re.compile(
    r"(?:^|_)(?:ips?|addr|address|addresses|hostname|nodename|nodelist|master|(?:head|master)_?(?:node|host))(?:_|$)",
    re.IGNORECASE,
)
"""Names of variables that hold the address of a node, whoever sets them: ``head_ip``, ``MASTER_ADDR``."""
_CHOSEN = re.compile(r"dashboard|bind|listen", re.IGNORECASE)
"""Names of variables by which the user says where a server listens: nobody else knows what is in them."""
_DEEPEST = 4
"""Through how many variables an address may come."""


class Reach(IntEnum):
    """Who reaches a server, the fewest first."""

    OWN = 0
    """The programs of its machine alone."""
    UNKNOWN = 1
    NETWORK = 2
    """Whoever is on the network of that address."""
    EVERYBODY = 3
    """Whoever reaches the machine by any network."""


def reach(host: str, script: Script, settings: Mapping[str, str], depth: int = 0) -> Reach:
    """Return who reaches a server that ``script`` binds to ``host``; ``settings`` are the variables of its file."""
    match = _REFERENCE.fullmatch(host)
    if match is None:
        return _of_text(host.strip("[]"))
    if depth == _DEEPEST:
        return Reach.UNKNOWN
    name = match.group(1) or match.group(3)
    found = [reach(value, script, settings, depth + 1) for value in _values(name, match.group(2), script, settings)]
    if found and (Reach.EVERYBODY in found or Reach.OWN in found):
        return Reach.EVERYBODY if Reach.EVERYBODY in found else Reach.OWN
    named = _OF_A_NODE.search(name) is not None and not _CHOSEN.search(name)
    return Reach.NETWORK if named or (found and Reach.UNKNOWN not in found) else Reach.UNKNOWN


def _values(name: str, default: str | None, script: Script, settings: Mapping[str, str]) -> Iterator[str]:
    """Yield the texts that a variable may hold, as far as the file says."""
    assigned = [item for item in script.assigns if item.name == name and not item.append]
    for item in assigned:
        yield from (word.text for word in item.value.items) if item.value.items is not None else (item.value.text,)
    for command in script.commands:
        if command.name == "read" and name in command.args:
            yield from (redirect.target.text for redirect in command.redirects if redirect.operator == "<<<")
    if not assigned and name in settings:
        yield settings[name]
    if default is not None:
        yield default


def _of_text(text: str) -> Reach:
    try:
        address = ip_address(text)
    except ValueError:
        if not text or _OWN_NAME.fullmatch(text):
            return Reach.OWN
        asked = text.startswith(("$(", "`")) and not _OWN_ADDRESS.search(text)
        return Reach.NETWORK if asked or _HOST_NAME.fullmatch(text) else Reach.UNKNOWN
    if address.is_unspecified:
        return Reach.EVERYBODY
    return Reach.OWN if address.is_loopback else Reach.NETWORK
