"""A wait that ends without result must fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.loops import Loop, loops
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity
from mngen.manifest.whole_numbers import whole_number

_JUDGING = {"exit", "return", "[", "[[", "test", "false", "if", "die", "kill", "pkill", "wait"}
"""What asks how the wait ended, or ends what it waited for."""

_PIPES = frozenset({"|", "|&"})
_SAYING = frozenset({"echo", "printf"})
_NEAR = 2
"""How many pipes behind a loop are looked at."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        commands = [command for command in script.commands if not command.origin]
        stops = script.option("e", "errexit")
        for loop in loops(commands):
            waits = _is_left_early(loop) and not loop.has("exit", "return")
            # One that neither its condition nor a count ends is left by `break` alone, and never gives up.
            gives_up = waits and not (loop.for_ever and not loop.counts)
            behind = commands[loop.end + 1 :]
            if gives_up and not (_asks(behind) or (stops and _tries_again(loop, behind))):
                yield Found(
                    commands[loop.end].line,
                    "after the last try the script goes on as if it had succeeded",
                    "fail behind the loop: test again what was waited for or tried, and `exit 75` when it failed",
                )


def _is_left_early(loop: Loop) -> bool:
    """Tell whether a loop sleeps between tries, and a ``break`` leaves it; one that leaves an inner loop does not.

    Of two that `break 2` leaves, the one that sleeps itself is meant.
    """
    ways = [item for item in loop.commands if item.name == "break"]
    if any(len(item.loops) == loop.depth for item in ways):
        return loop.has("sleep")
    sleeps = any(item.name == "sleep" and len(item.loops) == loop.depth for item in loop.commands)
    return sleeps and any(
        len(item.loops) - loop.depth < (whole_number(item.args[0]) or 0) for item in ways if item.args
    )


def _asks(behind: Sequence[Command]) -> bool:
    """Tell whether one of the next two pipes asks how the wait ended."""
    pipes = 0
    for item in behind:
        if _judges(item):
            return True
        pipes += item.after not in _PIPES
        if pipes == _NEAR:
            break
    return False


def _tries_again(loop: Loop, behind: Sequence[Command]) -> bool:
    """Tell whether the test of a loop comes once more right behind it, where its failure ends the script."""
    ends = (item for item in behind if item.words and item.after not in _PIPES and item.name not in _SAYING)
    again = next(ends, None)
    if again is None or again.negated or again.after in {"&&", "||", "&"}:
        return False
    return _texts(again) in {_texts(item) for item in _tests(loop)}


def _tests(loop: Loop) -> Iterator[Command]:
    """Yield what ends a loop by its success: its condition, and the command that leads to a ``break``."""
    yield from (item for item in loop.condition if item.negated == (loop.kind == "while"))
    for place, item in enumerate(loop.commands):
        if item.name != "break":
            continue
        told = [number for number in range(place) if loop.commands[number].name not in _SAYING]
        asked = loop.commands[told[-1]] if told else None
        if asked is not None and not asked.negated and asked.after != "||":
            yield asked


def _texts(command: Command) -> tuple[str, ...]:
    return tuple(word.text for word in command.words)


def _judges(command: Command) -> bool:
    """Tell whether a command behind the loop asks how it ended, as one does whose failure has an answer."""
    return command.name in _JUDGING or command.name.startswith("((") or command.after == "||"


RULE = Rule("MN721", Severity.ERROR, _check)
