"""A process in the background whose id is not kept dies unseen; one that the script does not wait for dies with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_CLOSING = frozenset({"done", "fi", "esac", "}", ")"})
_PASSING = frozenset({"trap", "echo", "printf", "date", "true", ":", "set", "export", "local", "readonly", "exit"})
"""What takes no time: behind it the script is at its end."""
_PAUSE = re.compile(r"\d{1,2}(?:\.\d+)?s?")
_KILLS = re.compile(r"\bkill\b")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        commands = [command for command in script.commands if not command.origin]
        starts = [number for number, command in enumerate(commands) if _starts(command)]
        left = starts[-1] if starts and _left_alone(document.form, script, commands, starts[-1]) else None
        waited = bool(script.called("wait"))
        for number in starts:
            if number == left:
                yield _dies(commands[number])
            elif not (waited or _kept(commands[number + 1 : number + 2])):
                yield _unseen(commands[number])


def _starts(command: Command) -> bool:
    return command.after == "&" and command.name not in {"echo", "sleep"}


def _kept(following: list[Command]) -> bool:
    """Tell whether the next command notes the id."""
    words = (word for item in following for word in (*item.words, *(assign.value for assign in item.assigns)))
    return any("$!" in word.raw for word in words)


def _left_alone(form: Form, script: Script, commands: list[Command], last: int) -> bool:
    """Tell whether the script ends right behind its last start, and what it started with it.

    A job of Slurm and a task of dstack end with their script. Any other script may leave a server behind on purpose,
    unless a trap of its own stops it.
    """
    if commands[last].function or not all(_passes(command) for command in commands[last + 1 :]):
        return False
    at_exit = [text for call in script.called("trap") for text in call.texts[:1] if {"EXIT", "0"} & set(call.texts[1:])]
    in_functions = {item.name for item in commands if item.function}
    if any("wait" in text for text in at_exit) or "wait" in in_functions:
        return False
    stopped = any(_KILLS.search(text) for text in at_exit) or (bool(at_exit) and "kill" in in_functions)
    return stopped or form in {Form.SBATCH, Form.DSTACK}


def _passes(command: Command) -> bool:
    if command.name == "sleep":
        return all(_PAUSE.fullmatch(text) for text in command.args)
    computed = any(word.inner for word in (*command.words, *(assign.value for assign in command.assigns)))
    return not computed and (not command.words or command.function or command.name in _PASSING | _CLOSING)


def _dies(command: Command) -> Found:
    return Found(
        command.line,
        f"`{command.name} … &`: the script ends behind it without waiting, and takes it along",
        'keep `$!` and end with `wait "$pid"`, whose status is then the script\'s',
        Severity.ERROR,
    )


def _unseen(command: Command) -> Found:
    return Found(
        command.line,
        f"`{command.name} … &`: its id is not kept, so nobody notices when it dies",
        "keep `$!`, and end the job when that process ends: `wait -n`, or `kill -0` in a loop",
    )


RULE = Rule("MN717", Severity.WARNING, _check)
