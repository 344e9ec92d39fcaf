"""A dump of the environment writes every token into the log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_PIPES = frozenset({"|", "|&"})
_PASSING = frozenset({"sort", "cat", "tee", "less", "more", "nl", "column", "uniq", "fold"})
"""Programs whose output has every line of their input."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        dumps = [call for call in script.called("printenv", "env", "export", "set", "declare") if _all(call)]
        places = {id(command): place for place, command in enumerate(script.commands)} if dumps else {}
        for call in dumps:
            if set(call.outer) <= {"srun"} and _into_log(script, places[id(call.command)]):
                yield Found(
                    call.line,
                    f"`{call.program}` writes the whole environment, tokens included, to a log that others can read",
                    "print the variables that matter by name",
                )


def _all(call: Call) -> bool:
    """Tell whether a call prints every variable, and does nothing else."""
    return {
        "printenv": not [text for text in call.texts if not text.startswith("-")],
        "env": not call.texts,
        "set": not call.texts,
        "export": call.texts in {(), ("-p",)},
        "declare": call.texts in {(), ("-x",), ("-p",)},
    }[call.program]


def _into_log(script: Script, place: int) -> bool:
    """Tell whether what the command at a place prints comes out at the end of its pipe, whole, and not in a file."""
    command = script.commands[place]
    if command.after not in _PIPES:
        return not command.silent
    stages = _behind(script, place)
    passes = all(stage.name in _PASSING and not stage.silent for stage in stages)
    # What a substitution prints is a value; who sorts it there hardly prints it.
    return command.origin != "substitution" and bool(stages) and passes


def _behind(script: Script, place: int) -> list[Command]:
    """Return the commands that read what the one at a place prints, one after the other."""
    found: list[Command] = []
    for item in islice(script.commands, place + 1, None):
        if item.origin == script.commands[place].origin:
            found.append(item)
            if item.after not in _PIPES:
                break
    return found


RULE = Rule("MN782", Severity.ERROR, _check)
