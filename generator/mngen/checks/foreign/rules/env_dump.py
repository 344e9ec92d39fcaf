"""A dump of the environment writes every token into the log."""

from __future__ import annotations

from collections.abc import Iterator

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
        for call in script.called("printenv", "env", "export", "set", "declare"):
            if _all(call) and set(call.outer) <= {"srun"} and _into_log(script, call.command):
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


def _into_log(script: Script, command: Command) -> bool:
    """Tell whether what a command prints comes out at the end of its pipe, whole, and not in a file."""
    if command.after not in _PIPES:
        return not command.silent
    stages = _behind(script, command)
    passes = all(stage.name in _PASSING and not stage.silent for stage in stages)
    # What a substitution prints is a value; who sorts it there hardly prints it.
    return command.origin != "substitution" and bool(stages) and passes


def _behind(script: Script, command: Command) -> list[Command]:
    """Return the commands that read what a command prints, one after the other."""
    found: list[Command] = []
    around = [item for item in script.commands if item.origin == command.origin]
    for item in around[around.index(command) + 1 :]:
        found.append(item)
        if item.after not in _PIPES:
            break
    return found


RULE = Rule("MN782", Severity.ERROR, _check)
