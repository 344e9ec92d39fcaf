"""Everybody on a node can read the arguments of its processes, and others the log."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.printing import into_log
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.secret_holders import Held, Holders, with_holders
from mngen.checks.foreign.words import Command, Word
from mngen.diagnostics import Severity

_METADATA = "169.254.169.254"
"""The metadata service of a cloud's machine: its tokens are of no use elsewhere."""
_FUNCTION = re.compile(r"^\s*(?:function\s+)?([\w-]+)\s*\(\)", re.MULTILINE)
_BUILTIN = {"export", "[", "[[", "test", ":", "declare", "local", "readonly", "unset", "case", "read", "eval"}
_PRINTING = {"echo", "printf"}
_COPYING = {"cat", "tee"}
_SHOWN = "is written to the log, which others can read"
_READ = "stands on a command line: every user of the node can read it, and logs keep it"
_PIECE = re.compile(r"\$\{\w+:(?:0*:[0-8]|\s+-[0-8]|\s*\(-[0-8]\)|\s+-[0-8]:\s*[0-8])\}")
"""The first or the last eight characters of a variable at most: ``${NAME:0:3}``, ``${NAME: -4}``."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        functions = set(_FUNCTION.findall(script.text))
        for place, command, holders in with_holders(script):
            if command.name in _BUILTIN or not command.words or command.name in functions:
                continue
            if command.name in _PRINTING | _COPYING:
                yield from _printed(script, place, command, holders)
            elif not any(_METADATA in word.text for word in command.words):
                yield from _given(script, command, holders)


def _given(script: Script, command: Command, holders: Holders) -> Iterator[Found]:
    for word in command.words[1:]:
        held, severity = _in_word(word, command, holders)
        if held and held.holder and "_" in command.name and script.settings_file(command.line):
            continue  # a function of that file, most likely, whose arguments are no process's
        if held and "\n" not in word.text and ":?" not in word.text:
            yield _found(word.line, held, _READ, severity)


def _printed(script: Script, place: int, command: Command, holders: Holders) -> Iterator[Found]:
    """Find what a command prints; one that prints for a program, a file or a variable leaves no trace of it."""
    if command.origin == "substitution" or command.args[:1] == ("-v",) or not into_log(script, place):
        return
    if command.name in _COPYING:
        held = holders.in_input(command)
        if held:
            yield _found(command.line, held, _SHOWN)
        return
    for word in command.words[1:]:
        held, severity = _in_word(word, command, holders)
        if held and ":?" not in word.text:
            yield _found(word.line, held, _SHOWN, severity)


def _in_word(word: Word, command: Command, holders: Holders) -> tuple[Held | None, Severity | None]:
    """Return the secret in a word, and the weight where no more than its first or last characters are shown."""
    held = holders.in_word(replace(word, raw=_PIECE.sub("", word.raw)), command)
    if held is not None:
        return held, None
    return holders.in_word(word, command), Severity.NOTE


def _found(line: int, held: Held, what: str, severity: Severity | None = None) -> Found:
    piece = severity is Severity.NOTE
    return Found(
        line,
        f"{'a piece' if piece else 'the value'} of {held} {what}",
        "leave it in the environment, where the program looks for it (`-e NAME` without a value for a container), or "
        "in a file of mode 600",
        severity,
    )


RULE = Rule("MN783", Severity.ERROR, _check)
