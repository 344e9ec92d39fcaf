"""The exit status of a pipe is that of its last command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script, variables
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity
from mngen.manifest.whole_numbers import whole_number

_TEXT = {"echo", "printf", "cat", "date", "sort", "env", "hostname", "ls", "grep", "sed", "awk", "jq", "head", "done"}
"""What only makes text: its status is not the job's."""
_SAYING = frozenset({"echo", "printf"})
_PIPES = frozenset({"|", "|&"})
_PARTS = re.compile(r"\bPIPESTATUS\b(?:\[([^]]*)\])?")
_NAME = re.compile(r"[A-Za-z_]\w*")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        # A shell that is started has options of its own, but for those in an exported SHELLOPTS.
        inner = () if "SHELLOPTS" in script.text else script.inner
        for text in (script, *inner):
            if not text.option("", "pipefail"):
                yield from _lost(text)


def _lost(script: Script) -> Iterator[Found]:
    commands = [command for command in script.commands if not command.origin]
    for number, last in enumerate(commands[1:], 1):
        first = commands[number - 1]
        teed = first.after in _PIPES and last.name == "tee" and first.name not in _TEXT
        if teed and not _is_asked(commands, number):
            unless = script.settings_file(first.line)
            yield Found(
                first.line,
                f"`{first.name} … | tee` ends with the status of tee: a failure is reported as success"
                + (f", unless {unless} turns pipefail on" if unless else ""),
                "put `set -o pipefail` at the top, or redirect to the file instead of a pipe",
                Severity.NOTE if unless else None,
            )


def _is_asked(commands: Sequence[Command], tee: int) -> bool:
    """Tell whether the command behind a pipe reads PIPESTATUS, which the next one replaces, to act on it."""
    if commands[tee].after in {"||", "&"} or tee + 1 == len(commands):
        return False
    asking = commands[tee + 1]
    parts = {part for text in _expanded(asking) for part in _PARTS.findall(text)}
    if asking.name in _SAYING or not _is_of(parts, _place(commands, tee - 1)):
        return False
    kept = {assign.name for assign in asking.assigns}
    return bool(asking.words) or any(kept & _read(item) for item in commands[tee + 2 :] if item.name not in _SAYING)


def _place(commands: Sequence[Command], number: int) -> int:
    """Return which part of its pipe a command is."""
    first = number
    while first and commands[first - 1].after in _PIPES:
        first -= 1
    return number - first


def _is_of(parts: set[str], place: int) -> bool:
    """Tell whether these indices of PIPESTATUS are that of a place, all, or computed; without one it is the first."""
    return any(whole_number(part or "0") in (None, place) for part in parts)


def _expanded(command: Command) -> Iterator[str]:
    for word in (*command.words, *(assign.value for assign in command.assigns)):
        yield from (item.raw for item in word.items or (word,) if not item.raw.startswith("'"))


def _read(command: Command) -> set[str]:
    """Return the variables that a command reads; in arithmetic they need no ``$``."""
    found: set[str] = set()
    for text in _expanded(command):
        found.update(_NAME.findall(text) if text.startswith("((") else variables(text))
    return found


RULE = Rule("MN710", Severity.ERROR, _check)
