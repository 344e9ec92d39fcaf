"""The loops of a shell text, and what may end them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from mngen.checks.foreign.words import Command

_SAYING = frozenset({"echo", "printf", "log", "logger", "info", "warn"})
_FOR_EVER = {"while": {"true", ":", "((1))", "(( 1 ))"}, "until": {"false", "((0))", "(( 0 ))"}}
_ONE_TRY = re.compile(r"(?<![-\w${])timeout\s+(?:-\S+\s+)*(?:[\d.]+[smhd]?|\"?\$\{?\w+\}?\"?)\s")
"""``timeout 10 ray status``: it bounds one try, not the loop."""
_COUNTS = re.compile(
    r"SECONDS|(?<!-)(?:\bdate\b|timeout|deadline|attempt|retries|\btries)|\+\+|\+ ?\d|[+-]=|"
    r"\(\([^)]{0,200}\+|\(\(\s*--\w|\w--|\(\([^)]{0,200}\w(?:-| - )\d"
)
"""What a loop that counts its tries or the time has somewhere; not an option such as ``--timeout``."""


class Loop(Struct, frozen=True, dict=True):
    """One loop, the ``depth``-th from outside.

    ``commands`` are those of its condition, then those of its body, inner loops included.
    """

    kind: str
    depth: int
    commands: tuple[Command, ...]
    end: int
    """The place of its ``done`` among the commands of the script."""
    background: bool

    @cached_property
    def own(self) -> tuple[Command, ...]:
        """The commands without messages, and without what a message computes (``echo "$(date) …"``)."""
        said = {
            inner.words for item in self.commands if item.name in _SAYING for word in item.words for inner in word.inner
        }
        return tuple(item for item in self.commands if item.name not in _SAYING and item.words not in said)

    @property
    def condition(self) -> tuple[Command, ...]:
        """The commands between ``while`` and ``do``."""
        return tuple(item for item in self.commands if item.condition and len(item.loops) == self.depth)

    @property
    def for_ever(self) -> bool:
        """Tell whether its condition never ends it."""
        return {_text(item) for item in self.condition} <= _FOR_EVER.get(self.kind, set()) and bool(self.condition)

    @property
    def counts(self) -> bool:
        """Tell whether it counts anything, its tries or the time."""
        return any(_COUNTS.search(_ONE_TRY.sub("", _text(item))) for item in self.own)

    def has(self, *names: str) -> bool:
        """Tell whether it calls one of these, ``break`` for example."""
        return any(item.name in names for item in self.commands)


def loops(commands: Sequence[Command]) -> Iterator[Loop]:
    """Yield the loops among the commands of a script in the order of their ends."""
    beside = _beside(commands)
    for end, command in enumerate(commands):
        if command.name != "done":
            continue
        depth = len(command.loops) + 1
        last = end
        # What a substitution behind `done` runs stands in front of it here: `done < <(list)`.
        while last > 0 and commands[last - 1].origin and len(commands[last - 1].loops) < depth:
            last -= 1
        first = last
        while first > 0 and len(commands[first - 1].loops) >= depth:
            first -= 1
        if first < last:
            kind = commands[first].loops[depth - 1]
            yield Loop(kind, depth, tuple(commands[first:last]), end, end in beside)


def _beside(commands: Sequence[Command]) -> frozenset[int]:
    """Return the places of each ``done`` that runs beside the rest: itself, or with a subshell or group around it.

    Read backwards, a ``)`` opens a subshell and the command behind its ``(`` closes it.
    """
    found: set[int] = set()
    subshells: list[bool] = []
    ends_group = False
    for place in range(len(commands) - 1, -1, -1):
        item = commands[place]
        behind = item.after == "&"
        if item.name == "done" and (behind or ends_group or (subshells and subshells[-1])):
            found.add(place)
        ends_group = item.name in {")", "}"} and (behind or ends_group)
        if item.name == ")":
            subshells.append(behind or (bool(subshells) and subshells[-1]))
        if item.before == "(" and subshells:
            subshells.pop()
    return frozenset(found)


def _text(command: Command) -> str:
    assigns = (f"{item.name}{'+' if item.append else ''}={item.value.raw}" for item in command.assigns)
    return " ".join([*(word.raw for word in command.words), *assigns])
