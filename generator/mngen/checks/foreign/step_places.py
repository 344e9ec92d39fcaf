"""On which nodes of a job its steps are put: by name, or by the number of the node.

https://slurm.schedmd.com/srun.html, OPT_nodelist and OPT_relative. A step to which more nodes are given than it names
gets others beside those.
"""

from __future__ import annotations

import re

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.script import Script, variables
from mngen.checks.foreign.step_shares import PLACES, on_all_nodes
from mngen.manifest.whole_numbers import whole_number

_ALL = re.compile(r"\$\{?SLURM_(?:JOB_)?NODELIST\}?|\$\{\w+\[[@*]\]\}")
_ITEM = re.compile(r"\$\{(\w+)\[([^\]]*)\]\}")
_NAME = re.compile(r"\$?\{?(\w+)\}?")
_FIRST = re.compile(r"(?:\$\(|`).*|\$\{?(?:HOSTNAME|SLURMD_NODENAME)\}?", re.DOTALL)
"""What may name the first node, as ``$(hostname)`` and ``$(scontrol show hostnames | head -n1)`` do."""
_INDEX = re.compile(r"\[\$?\{?([A-Za-z_]\w*)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMA = re.compile(r",(?![^\[({]*[\])}])")


def apart(first: Call, second: Call, script: Script) -> bool | None:
    """Tell whether two steps are on different nodes: ``None`` where one of them has a place, and it cannot be told."""
    named, also = _nodes(first, script), _nodes(second, script)
    if named and also:
        answers = [_differ(one, other, script) for one in named for other in also]
        if False in answers:
            return None if _moves_on(first, second, script) else False
        more = _has_more(first, named) or _has_more(second, also)
        return None if more or None in answers else True
    placed = any(step.options.has(name) for step in (first, second) for name in PLACES)
    everywhere = on_all_nodes(first, script.slurm) or on_all_nodes(second, script.slurm)
    return None if placed and not everywhere else False


def _moves_on(first: Call, second: Call, script: Script) -> bool:
    """Tell whether a loop ends between two steps that sets a variable of theirs: one word may then be two nodes."""
    set_by_loops = {assign.name for command in script.commands if command.loops for assign in command.assigns}
    for command in script.commands:
        if command.name in {"for", "read"} or command.name.startswith("(("):
            set_by_loops.update(_WORD.findall(" ".join(word.text for word in command.words)))
    listed = " ".join(script.resolve(step.options.value("--nodelist") or "") for step in (first, second))
    if set_by_loops.isdisjoint(variables(listed)) and set_by_loops.isdisjoint(_INDEX.findall(listed)):
        return False
    places = {id(command): place for place, command in enumerate(script.commands)}
    between = script.commands[places[id(first.command)] : places[id(second.command)]]
    return any(command.name == "done" and len(command.loops) < len(first.command.loops) for command in between)


def _nodes(step: Call, script: Script) -> tuple[str, ...]:
    """Return what names the nodes of a step; of a node that is told by its number, that number behind a ``+``."""
    listed, number = step.options.value("--nodelist"), step.options.value("--relative")
    if listed:
        text = listed if _is_set_anew(listed, script) else script.resolve(listed)
        return tuple(part for part in _COMMA.split(text.replace('"', "")) if part)
    return (f"+{number}",) if number else ()


def _is_set_anew(listed: str, script: Script) -> bool:
    """Tell whether a variable in a list, or one that it is made of, has several values: then its name says more."""
    names = set(variables(listed))
    names |= {inner for assign in script.assigns if assign.name in names for inner in variables(assign.value.text)}
    given = [assign.name for assign in script.assigns if assign.name in names]
    return len(given) > len(set(given))


def _has_more(step: Call, named: tuple[str, ...]) -> bool:
    """Tell whether a step may have other nodes than those that it names."""
    wanted = step.options.value("--nodes")
    if wanted is None:
        return named[0].startswith("+")
    count = whole_number(wanted)
    return count is None or count > len(named)


def _differ(one: str, other: str, script: Script) -> bool | None:
    if one == other or _ALL.fullmatch(one) or _ALL.fullmatch(other):
        return False
    if one.startswith("+") != other.startswith("+") or _is_range(one) or _is_range(other):
        return None
    item, also = _ITEM.fullmatch(one), _ITEM.fullmatch(other)
    if item and also and item[1] == also[1]:
        numbers = (whole_number(item[2]), whole_number(also[2]))
        return numbers[0] != numbers[1] if None not in numbers else _counts_past(item[2], also[2], script)
    for found, text in ((item, other), (also, one)):
        if found and found[2] == "0" and _FIRST.fullmatch(text):
            return None
    return True


def _is_range(text: str) -> bool:
    return "[" in text and not text.startswith(("$", "`"))


def _counts_past(one: str, other: str, script: Script) -> bool | None:
    """Tell whether one index is the first, and the other a loop's that begins behind it."""
    index = other if one == "0" else one if other == "0" else ""
    name = _NAME.fullmatch(index)
    if name is None:
        return None
    begins = rf"\bfor\s*\(\(\s*{name[1]}\s*=\s*1\b|\bfor\s+{name[1]}\s+in\s+(?:\{{1\.\.|[$`(\"]*seq\s+1\s)"
    return True if re.search(begins, script.text) else None
