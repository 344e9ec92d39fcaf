"""A value that is replaced before anybody reads it was never used."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import variables
from mngen.checks.foreign.words import Assign, Command
from mngen.diagnostics import Severity

_COUNTED = re.compile(r"\(\(.*|\$\{[^}]*\}", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(r"(?:^|[;&|\n])[ \t]*(?:function[ \t]+([\w:.-]+)|([\w:.-]+)[ \t]*\([ \t]*\))")
_WORD = re.compile(r"[\w:.-]+")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        last: dict[str, Assign] = {}
        functions = {one or other for one, other in _DEFINED.findall(script.text)}
        inside = {name for command in script.top if command.function for name in _used(command)}
        for command in script.top:
            for name in _used(command) | (inside if not command.function and functions & _words(command) else set()):
                last.pop(name, None)
            for assign in (assign for assign in command.assigns if not assign.element):
                earlier = last.pop(assign.name, None)
                plain = not (command.branches or command.loops or command.function or assign.exported)
                plain = plain and not {"&&", "||"} & {command.before, command.after}
                if earlier is not None and plain and assign.alone and not assign.append:
                    yield Found(
                        assign.line,
                        f"`{assign.name}` was set in line {earlier.line} and nobody read it since: that value "
                        "has no effect",
                        "keep the assignment that is meant",
                    )
                if plain and assign.alone:
                    last[assign.name] = assign


def _used(command: Command) -> set[str]:
    """Return the variables whose values a command gets, or what it writes."""
    used = {name for word in command.words for name in _read(word.text)}
    used |= {name for assign in command.assigns for name in _read(assign.value.text)}
    return used | {name for item in command.redirects for name in variables(item.body or item.target.text)}


def _words(command: Command) -> set[str]:
    """Return the words of a command, and those inside them: any may be a function that it calls."""
    texts = [*(word.text for word in command.words), *(assign.value.text for assign in command.assigns)]
    return {word for text in texts for word in _WORD.findall(text)}


def _read(text: str) -> set[str]:
    """Return the variables of a text, and all names in arithmetic and in ``${…}``, where they need no ``$``."""
    counted = (name for match in _COUNTED.finditer(text) for name in _NAME.findall(match.group()))
    return {*variables(text), *counted}


RULE = Rule("MN727", Severity.WARNING, _check)
