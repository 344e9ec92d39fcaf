"""Which variables of a script hold addresses as programs print them, without brackets around an IPv6 one."""

from __future__ import annotations

import re

from mngen.checks.foreign.expansion import plain_name
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Assign

_ASKS = re.compile(
    r"\bhostname\s+(?:-[A-Za-z]*[iI]\b|--(?:all-)?ip-address)|\bgetent\s+(?:a?hosts|ahostsv6)\b|"
    r"\bip\s[^|`)]*\b(?:a|addr|address|r|route)\s"
)
_CHOOSES = re.compile(r"\b[ef]?grep\b|\brg\b|\[%|\[\$|\bcase\b|\*:\*")
"""What may choose one family, or put brackets there."""
_ROUNDS = 3
"""Through how many variables an address may come."""


def bare_addresses(script: Script) -> frozenset[str]:
    """Name the variables that get an address from the node each time that they get a value."""
    given: dict[str, list[Assign]] = {}
    for assign in script.assigns:
        given.setdefault(assign.name, []).append(assign)
    found: frozenset[str] = frozenset()
    for _ in range(_ROUNDS):
        found = frozenset(name for name, own in given.items() if all(_is_address(assign, found) for assign in own))
    return found


def _is_address(assign: Assign, known: frozenset[str]) -> bool:
    text = assign.value.text
    if assign.append or assign.element or assign.value.items is not None:
        return False
    asked = bool(assign.value.inner) and _ASKS.search(text) is not None and not _CHOOSES.search(text)
    return asked or plain_name(text) in known
