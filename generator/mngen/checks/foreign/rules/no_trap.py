"""Without a trap nothing is stopped when the job fails or is cancelled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_PASSING = frozenset({"echo", "printf", "sleep", "done", "fi", "for"})
"""What may stand between a start and the wait for it: messages, and the ends and heads of loops."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if script.called("trap") or script.section.startswith("%"):
            continue
        commands = [command for command in script.commands if not command.origin]
        starts = [command for number, command in enumerate(commands) if _goes_on(commands, number)]
        detached = [
            call.command
            for call in script.containers("run")
            if call.options.has("--detach") and not call.options.has("--restart")
        ]
        heads = [call.command for call in script.called("ray start") if call.lacks("--block")]
        if starts or detached or heads:
            yield Found(
                min(command.line for command in (*starts, *detached, *heads)),
                "what this starts is never stopped: there is no trap for the end, a failure or a cancelled job",
                "set `trap cleanup EXIT` and `trap 'exit 143' TERM INT` before the first start, "
                "and stop there what this job started, by process id or container name",
            )


def _goes_on(commands: Sequence[Command], number: int) -> bool:
    """Tell whether a command runs in the background beside what comes after it, which is not a wait for it."""
    if commands[number].after != "&":
        return False
    behind = (item for item in commands[number + 1 :] if item.words and item.after != "&" and item.name not in _PASSING)
    return next((item.name for item in behind), "") != "wait"


RULE = Rule("MN718", Severity.WARNING, _check)
