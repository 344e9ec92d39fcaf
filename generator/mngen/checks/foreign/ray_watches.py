"""Loops that stay behind a start of Ray as long as it answers, as ``--block`` would."""

from __future__ import annotations

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.loops import Loop, loops
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command

_QUESTIONS = ("ray status", "ray health-check", "ray list")


def watched(script: Script, start: Call) -> bool:
    """Tell whether a loop that ends when Ray no longer answers follows a start, and not in another branch."""
    places = {id(command): place for place, command in enumerate(script.commands)}
    asking = {id(call.command) for call in script.called(*_QUESTIONS)}
    begin = places[id(start.command)]
    for loop in loops(script.commands):
        first = places[id(loop.commands[0])]
        behind = first > begin and _comes_to(script.commands[begin + 1 : first + 1], start.command)
        if behind and loop.has("sleep") and _watches(loop, asking):
            return True
    return False


def _comes_to(between: tuple[Command, ...], start: Command) -> bool:
    """Tell whether a run that starts Ray comes to the last of these commands: none begins another branch."""
    level = start.branches
    for item in between:
        level = min(level, item.branches)
        other = item.role in {"else", "elif"} or item.before in {";;", ";&", ";;&"}
        if other and item.branches <= level:
            return False
    return True


def _watches(loop: Loop, asking: set[int]) -> bool:
    """Tell whether an answer keeps a loop going; where an answer ends it, it is a wait."""
    asked = [item for item in loop.condition if id(item) in asking]
    if asked:
        return any(item.negated == (loop.kind == "until") for item in asked) and loop.kind != "for"
    return loop.for_ever and any(item.negated or item.after == "||" for item in loop.commands if id(item) in asking)
