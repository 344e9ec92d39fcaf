"""A wait without a deadline holds the nodes for ever."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_COUNTERS = ("SECONDS", "date", "timeout", "++", "+ 1", "+1", "attempt", "retries")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        commands = script.commands
        for number, command in enumerate(commands):
            if command.name != "sleep" or not command.loops or command.loops[-1] not in {"while", "until"}:
                continue
            around = _loop(commands, number)
            words = " ".join(word.raw for item in around for word in item.words)
            bounded = any(counter in words for counter in _COUNTERS) or any(
                item.name in {"break", "exit", "return"} for item in around
            )
            if _waits_for_others(around, words) and not bounded:
                yield Found(
                    around[0].line,
                    "this waits without a deadline: when the thing never comes, the job holds its nodes to the end",
                    "count the seconds: `((SECONDS < deadline)) || exit 1`",
                )


def _waits_for_others(around: list[Command], words: str) -> bool:
    """Tell whether a loop waits for a program elsewhere, or for nothing but a file.

    A loop that looks after a process (`kill -0`) ends with it; one in a function may well run beside the rest.
    """
    if "kill -0" in words or any(item.function for item in around):
        return False
    programs = {item.name for item in around}
    if programs & {"ray", "curl", "wget", "nc", "ping", "scontrol"} or "/dev/tcp" in words:
        return True
    return programs <= {"sleep", "echo", "printf", "[", "[[", "test", "!"} and any(w in words for w in ("-f ", "-e "))


def _loop(commands: tuple[Command, ...], number: int) -> list[Command]:
    """Return the commands of the innermost loop around a command."""
    depth = len(commands[number].loops)
    first = last = number
    while first > 0 and len(commands[first - 1].loops) >= depth:
        first -= 1
    while last + 1 < len(commands) and len(commands[last + 1].loops) >= depth:
        last += 1
    return list(commands[first : last + 1])


RULE = Rule("MN720", Severity.ERROR, _check)
