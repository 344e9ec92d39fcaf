"""A script ends with the status of its last command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.commands import parse
from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.driver_status import dropped_status
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_HARMLESS = {"echo", "printf", "true", "sleep", "date", ":"}
_CLOSING = frozenset({"fi", "done", "}"})
"""What closes a part of the script that the shell itself runs: an ``exit`` in it ends the script."""
_TESTS = frozenset({"[", "[[", "test"})
_HINT = 'end with the status of the command that matters: `rc=0; driver || rc=$?; …; exit "$rc"`'
_STATUS = re.compile(r"\$\?|\bPIPESTATUS\b")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if script.section.startswith("%"):
            continue
        found = _harmless_end(document, script)
        dropped = dropped_status(script) if found is None else None
        if found is not None:
            yield found
        elif dropped is not None:
            command, how = dropped
            weight = None if script.launches else Severity.WARNING
            yield Found(command.line, f"{how}, so the script reports success", _HINT, weight)


def _harmless_end(document: Document, script: Script) -> Found | None:
    """Find a last command that cannot fail, behind one that can and whose failure ended nothing."""
    ends = [command for command in _judged(document, script) if command.words and not command.function]
    if not ends or script.option("e", "errexit"):
        return None
    last = ends[-1]
    if last.name == "printf" and last.args[:1] == ("-v",):
        return None  # an assignment
    if last.name not in _HARMLESS or last.branches or last.loops or len(ends) == 1 or _failed_before(script, ends):
        return None
    return Found(
        last.line,
        f"the last command is `{last.name}`, so the script always reports success",
        _HINT,
        None if script.launches else Severity.WARNING,
    )


def _judged(document: Document, script: Script) -> Sequence[Command]:
    """Return the commands whose failure only the last one can hide. dstack joins the items of a list with ``&&``."""
    if document.form is not Form.DSTACK:
        return script.top
    last = parse(*script.pieces[-1]) if script.pieces else ()
    return () if all(command.name in _HARMLESS for command in last) else last


def _failed_before(script: Script, ends: Sequence[Command]) -> bool:
    """Tell whether a failure of what stands in front of the harmless end has ended the script already."""
    place = len(ends) - 1
    while place and (ends[place].name in _HARMLESS or ends[place].name in _CLOSING):
        place -= 1
    if ends[place].name not in {"exit", "return"} or ends[place].args[:1] == ("0",):
        return False
    asked = _asked(ends, place)
    if asked is None or not (asked.name in _TESTS or asked.name.startswith("((")):
        return asked is not None
    text = " ".join(word.raw for word in asked.words)
    return any(re.search(rf"\b{name}\b", text) for name in _statuses(script)) or _STATUS.search(text) is not None


def _asked(ends: Sequence[Command], place: int) -> Command | None:
    """Return the command whose failure leads to an ``exit``: what ``if`` asks, or what stands before ``||``."""
    for number in range(place, -1, -1):
        if ends[number].role in {"if", "elif"} and number < place:
            return ends[number]
        if ends[number].before in {"||", "&&"}:
            return ends[number - 1] if number else None
    return None


def _statuses(script: Script) -> set[str]:
    """Name the variables that keep a status."""
    return {assign.name for assign in script.assigns if _STATUS.search(assign.value.raw)}


RULE = Rule("MN712", Severity.ERROR, _check)
