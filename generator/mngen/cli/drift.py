"""Differences between an output folder and its manifest, as findings that name the repairing command."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.output.changes import Action, Change, Owner, in_the_way
from mngen.output.inventory import NAME as INVENTORY


def findings(changes: Sequence[Change], root: Path, command: str, forced: str) -> list[Diagnostic]:
    """Return one finding for each file that differs; hand edits are repaired by the ``forced`` command.

    The inventory follows the other files, so it is told alone only.
    """
    told = [change for change in changes if change.path != INVENTORY] or changes
    return [
        in_the_way(root, change)
        if change.blocked
        else Diagnostic(
            _code(change),
            Severity.ERROR,
            _message(change),
            Span(str(root / change.path)),
            _hint(change, command, forced),
        )
        for change in told
    ]


_CODES = {Action.ADD: "MN501", Action.UPDATE: "MN501", Action.REMOVE: "MN502", Action.MODE: "MN503"}


def _code(change: Change) -> str:
    if _is_converted(change):
        return "MN509"
    return {Owner.EDITED: "MN504", Owner.FOREIGN: "MN505"}.get(change.owner, _CODES[change.action])


def _is_converted(change: Change) -> bool:
    """Tell whether a file that mngen wrote has other line ends; a file of others stays one."""
    return change.line_ends and change.owner is not Owner.FOREIGN


def _message(change: Change) -> str:
    path = f"`{change.path}`"
    if _is_converted(change):
        return f"{path} differs in line ends only (CR LF)"
    if change.action is Action.ADD:
        return f"{path} is missing"
    if change.action is Action.MODE:
        return f"{path} has mode {change.old_mode:04o} instead of {change.new_mode:04o}"
    if change.owner is Owner.EDITED:
        return f"{path} was edited by hand"
    if change.owner is Owner.FOREIGN:
        return f"{path} was not written by mngen"
    return f"{path} {'has no source any more' if change.action is Action.REMOVE else 'is out of date'}"


def _hint(change: Change, command: str, forced: str) -> str:
    if change.owner is Owner.EDITED:
        return f"move the edit (`mngen diff` shows it) into the manifest, then run `{forced}`"
    if change.owner is Owner.FOREIGN:
        return f"move the file away and run `{command}`, or overwrite it: `{forced}`"
    if _is_converted(change):
        name = PurePosixPath(change.path)
        pattern = f"*{name.suffix}" if name.suffix and name.stem else name.name
        return f"put `{pattern} text eol=lf` into .gitattributes, so that no checkout converts it, and run `{command}`"
    return f"run `{command}`"
