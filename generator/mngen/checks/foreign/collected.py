"""Texts that a variable gets in pieces: ``x="a"``, then ``x+=" b"`` in one branch and ``x+=" c"`` in the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct

from mngen.checks.foreign.lines import Lines, Place, lines_of
from mngen.checks.foreign.words import Command


class Piece(Struct, frozen=True):
    """One assignment: its text, nothing where that cannot be told, its line, and the place of its command."""

    text: str
    line: int
    place: int
    append: bool


def ways(pieces: Sequence[Piece], commands: Sequence[Command]) -> tuple[tuple[str, Place], ...]:
    """Return what the variable may hold in the end, each text with its lines; nothing where that is not known.

    It has two texts where each branch of one ``if`` adds something. What is added perhaps leaves it unknown.
    """
    first, *more = pieces
    if first.append or not all(piece.text for piece in pieces) or not all(piece.append for piece in more):
        return ()
    level = commands[first.place].branches
    always: list[Piece] = []
    perhaps: list[Piece] = []
    for piece in more:
        (always if _is_certain(commands[piece.place], commands[first.place]) else perhaps).append(piece)
    if perhaps and not _are_both_branches(perhaps, commands, level):
        return ()
    chosen = [[piece] for piece in perhaps] or [[]]
    return tuple(_joined((first, *one, *always)) for one in chosen)


def _joined(pieces: Sequence[Piece]) -> tuple[str, Place]:
    if len(pieces) == 1:
        return pieces[0].text, pieces[0].line
    begins = accumulate((len(piece.text) for piece in pieces), initial=0)
    lines = [(begin, lines_of(piece.text, piece.line)) for begin, piece in zip(begins, pieces, strict=False)]
    starts = tuple(begin + start for begin, own in lines for start in own.starts)
    numbers = tuple(number for _, own in lines for number in own.numbers)
    return "".join(piece.text for piece in pieces), Lines(starts, numbers)


def _is_certain(command: Command, first: Command) -> bool:
    """Tell whether a command runs once wherever the first one does."""
    same = (command.branches, command.loops, command.function) == (first.branches, first.loops, first.function)
    return same and command.before not in {"&&", "||"}


def _are_both_branches(perhaps: Sequence[Piece], commands: Sequence[Command], level: int) -> bool:
    """Tell whether two pieces begin the two branches of one ``if``."""
    if len(perhaps) != 2:
        return False
    one, other = (piece.place for piece in perhaps)
    roles = (commands[one].role, commands[other].role)
    between = (item for item in commands[one:other] if item.branches == level)
    return roles == ("then", "else") and commands[one].branches == level + 1 and not any(between)
