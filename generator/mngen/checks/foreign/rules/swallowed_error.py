"""A script that only prints its error goes on with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.loops import Loop, loops
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_ERROR = re.compile(r"\W*(?:error|fatal)\b", re.IGNORECASE)
_ENDS = ("break", "exit", "return", "continue", "kill", "false")
_KEPT = re.compile(r"fail|err|rc|ret|status|bad|ok|miss|lost|code", re.IGNORECASE)
"""Names of variables that may keep what failed, for later."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for command in (*_continued(script), *_printed(script)):
            yield Found(
                command.line,
                "the error is printed and the loop goes on, so the job runs with fewer parts than asked for",
                "print it to stderr and `exit 1`",
            )


def _continued(script: Script) -> Iterator[Command]:
    """Yield an error that is printed before ``continue``."""
    for first, second in pairwise(script.commands):
        text = " ".join(first.args).lower()
        if first.name == "echo" and ("error" in text or "fail" in text) and second.name == "continue":
            yield first


def _printed(script: Script) -> Iterator[Command]:
    """Yield an error that is all that becomes of a failure: ``start "$node" || echo "ERROR: …" >&2``."""
    for loop in loops(script.commands):
        if loop.kind != "for" or loop.has(*_ENDS) or _keeps(loop):
            continue
        for command in loop.commands:
            own = len(command.loops) == loop.depth and not command.condition
            if own and command.name == "echo" and command.before == "||" and _ERROR.match(" ".join(command.args)):
                yield command


def _keeps(loop: Loop) -> bool:
    """Tell whether a loop may remember a failure: in a variable, or by counting."""
    named = any(_KEPT.search(assign.name) for command in loop.commands for assign in command.assigns)
    return named or any(command.name.startswith("((") for command in loop.commands)


RULE = Rule("MN728", Severity.WARNING, _check)
