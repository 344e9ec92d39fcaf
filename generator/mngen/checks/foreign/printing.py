"""Whether what a command prints reaches the log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command

_PIPES = frozenset({"|", "|&"})
_PASSING = frozenset({"sort", "cat", "tee", "less", "more", "nl", "column", "uniq", "fold"})
"""Programs whose output has every line of their input."""
_CLOSING = frozenset({"done", "fi", "esac", "}", ")"})


def into_log(script: Script, place: int) -> bool:
    """Tell whether what the command at a place prints comes out at the end of its pipe, whole, and not in a file.

    A loop, branch or group around it may send it elsewhere too: ``{ printenv; } > file``.
    """
    return _passes(script, place) and all(_passes(script, end) for end in _ends_around(script, place))


def _passes(script: Script, place: int) -> bool:
    command = script.commands[place]
    if command.after not in _PIPES:
        return not command.silent
    stages = _behind(script, place)
    passes = all(stage.name in _PASSING and not stage.silent for stage in stages)
    # What a substitution prints is a value; who sorts it there hardly prints it.
    return command.origin != "substitution" and bool(stages) and passes


def _ends_around(script: Script, place: int) -> Iterator[int]:
    """Yield the places of the words that close what is around a command, the innermost first."""
    depth = script.commands[place].depth
    for end in range(place + 1, len(script.commands)):
        if not depth:
            return
        item = script.commands[end]
        if item.depth < depth and item.name in _CLOSING:
            depth = item.depth
            yield end


def _behind(script: Script, place: int) -> list[Command]:
    """Return the commands that read what the one at a place prints, one after the other."""
    found: list[Command] = []
    for item in islice(script.commands, place + 1, None):
        if item.origin == script.commands[place].origin:
            found.append(item)
            if item.after not in _PIPES:
                break
    return found
