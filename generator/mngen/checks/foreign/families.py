"""Which variables of a script hold addresses of one family only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mngen.checks.foreign.script import variables
from mngen.checks.foreign.words import Assign

_LITERAL = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_ASKS = re.compile(r"\bip\s+(?:-\S+\s+)*?-4\s|\bahostsv4\b")
_ASKS_ELSE = re.compile(r"\bhostname\b|\bgetent\s+(?:hosts|ahosts|ahostsv6)\b|\s-6\s|\|\|")
_CUT = re.compile(r"\$(?:\w+|\{\w+(?:[%#/][^$`]*|:\d[^$`]*)?\})")
"""One variable, whole or a part of it: ``${ip%%/*}``."""
_HANDED_ON = re.compile(r"\$\(\s*(?:echo|printf|cut|awk|sed|tr|head)\b", re.DOTALL)
_ROUNDS = 3
"""Through how many variables an address may come."""


def of_ipv4(assigns: Sequence[Assign]) -> frozenset[str]:
    """Name the variables into which a script puts IPv4 addresses only, by how it asks for them."""
    own: dict[str, list[Assign]] = {}
    for assign in assigns:
        if not _is_of_itself(assign):
            own.setdefault(assign.name, []).append(assign)
    found: frozenset[str] = frozenset()
    for _ in range(_ROUNDS):
        found = frozenset(name for name, given in own.items() if all(_is_ipv4(assign, found) for assign in given))
    return found


def _is_of_itself(assign: Assign) -> bool:
    """Tell whether an assignment takes a part of what the variable holds already."""
    return not assign.append and _is_derived(assign.value.text) and set(variables(assign.value.text)) == {assign.name}


def _is_derived(text: str) -> bool:
    handed_on = _HANDED_ON.match(text) and not _ASKS_ELSE.search(text)
    return _CUT.fullmatch(text) is not None or bool(handed_on)


def _is_ipv4(assign: Assign, known: frozenset[str]) -> bool:
    text = assign.value.text
    if assign.append or assign.element or assign.value.items is not None:
        return False
    if _LITERAL.fullmatch(text) or (_ASKS.search(text) and not _ASKS_ELSE.search(text)):
        return True
    names = set(variables(text)) if _is_derived(text) else set()
    return bool(names) and names <= known
