"""A wait that ends without result must fail."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_JUDGING = {"exit", "return", "[", "[[", "test", "false", "if", "die"}


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        commands = [command for command in script.commands if not command.origin]
        for number, command in enumerate(commands):
            if command.name != "done":
                continue
            body = _body(commands, number)
            waits = any(item.name == "sleep" for item in body) and any(item.name == "break" for item in body)
            fails = any(item.name in {"exit", "return"} for item in body)
            judged = any(
                item.name in _JUDGING or item.name.startswith("((") for item in commands[number + 1 : number + 3]
            )
            if waits and not fails and not judged:
                yield Found(
                    command.line,
                    "after the last try the script goes on as if the wait had succeeded",
                    "fail behind the loop: test the condition again and `exit 75` when it does not hold",
                )


def _body(commands: list[Command], end: int) -> list[Command]:
    depth = len(commands[end].loops) + 1
    start = end
    while start > 0 and len(commands[start - 1].loops) >= depth:
        start -= 1
    return commands[start:end]


RULE = Rule("MN721", Severity.ERROR, _check)
