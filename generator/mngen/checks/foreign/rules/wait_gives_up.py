"""A wait that ends without result must fail."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.loops import loops
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_JUDGING = {"exit", "return", "[", "[[", "test", "false", "if", "die", "kill", "pkill", "wait"}
"""What asks how the wait ended, or ends what it waited for."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        commands = [command for command in script.commands if not command.origin]
        for loop in loops(commands):
            waits = loop.has("sleep") and loop.has("break") and not loop.has("exit", "return")
            # One that neither its condition nor a count ends is left by `break` alone, and never gives up.
            gives_up = waits and not (loop.for_ever and not loop.counts)
            behind = commands[loop.end + 1 : loop.end + 3]
            if gives_up and not any(_judges(item) for item in behind):
                yield Found(
                    commands[loop.end].line,
                    "after the last try the script goes on as if the wait had succeeded",
                    "fail behind the loop: test the condition again and `exit 75` when it does not hold",
                )


def _judges(command: Command) -> bool:
    """Tell whether a command behind the loop asks how it ended, as one does whose failure has an answer."""
    return command.name in _JUDGING or command.name.startswith("((") or command.after == "||"


RULE = Rule("MN721", Severity.ERROR, _check)
