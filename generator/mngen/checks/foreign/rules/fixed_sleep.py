"""A fixed sleep is too short on a bad day and too long on a good one."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_STARTERS = ("ray start", "srun", "docker run", "podman run")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.called(*_STARTERS):
            continue
        for call in script.called("sleep"):
            loops = call.command.loops
            polls = any(loop in {"while", "until"} for loop in loops) or (loops and _leaves(script.commands, call.line))
            if (
                not polls
                and not _ends(script.commands, call.command)
                and call.texts
                and call.texts[0].rstrip("smh").isdigit()
            ):
                yield Found(
                    call.line,
                    f"`sleep {call.texts[0]}` stands for a wait: it proves nothing, and costs its time on every node",
                    "poll for the thing itself with a deadline, and fail when the deadline passes",
                )


def _ends(commands: tuple[Command, ...], sleep: Command) -> bool:
    """Tell whether the script ends behind a sleep: then it waits for nothing, it lets others go first."""
    following = next((item for item in commands if item.line >= sleep.line and item.name in {"exit", "return"}), None)
    return following is not None and following.line - sleep.line <= 1


def _leaves(commands: tuple[Command, ...], line: int) -> bool:
    """Tell whether the loop around a line is left by ``break``: then it polls."""
    around = [command for command in commands if command.loops and abs(command.line - line) < 12]
    return any(command.name in {"break", "return", "exit"} for command in around)


RULE = Rule("MN719", Severity.WARNING, _check)
