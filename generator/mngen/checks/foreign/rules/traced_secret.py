"""``set -x`` writes every command with its values to the log (bash(1), set), those of secrets too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.secret_holders import Holders
from mngen.checks.foreign.secret_values import is_literal, named_like_secret
from mngen.checks.foreign.shebangs import options
from mngen.checks.foreign.words import Assign, Command
from mngen.diagnostics import Severity

_ON = re.compile(r"-[A-Za-z]*x[A-Za-z]*")
_OFF = re.compile(r"\+[A-Za-z]*x[A-Za-z]*")
_ASKING = frozenset({"[", "[[", "test", ":"})
_PATH = re.compile(r"^[^`(]*/")


def _check(document: Document) -> Iterator[Found]:
    for script in document.shell:
        for text in (script, *script.inner):
            if "BASH_XTRACEFD" not in text.text:
                yield from _traced(text)


def _traced(script: Script) -> Iterator[Found]:
    traced = _switch((*options(script.shebang), *script.flags)) or False
    for command in script.top:
        if command.name == "set":
            switched = _switch(command.args)
            if switched is not None and (not switched or _is_certain(command)):
                traced = switched
        elif traced and (name := _secret(script, command)):
            yield Found(
                command.line,
                f"`set -x` is on here, so the value of {name} is written to the log",
                f"turn it off around this line, `{{ set +x; }} 2>/dev/null`, or read it: read -r {name} < FILE",
            )


def _switch(words: Sequence[str]) -> bool | None:
    """Return whether words of ``set`` or of a shell turn tracing on or off, or ``None``."""
    found: bool | None = None
    for number, word in enumerate(words):
        named = word == "xtrace" and number > 0
        if _ON.fullmatch(word) or (named and words[number - 1].startswith("-")):
            found = True
        elif _OFF.fullmatch(word) or (named and words[number - 1].startswith("+")):
            found = False
    return found


def _is_certain(command: Command) -> bool:
    """Tell whether tracing is turned on wherever the script comes by, and not for those alone who ask for it."""
    return not (command.branches or command.loops or command.function or command.before in {"&&", "||"})


def _secret(script: Script, command: Command) -> str:
    """Name the secret whose value the trace of a command shows."""
    for assign in command.assigns:
        if _holds_value(assign):
            return assign.name
    if command.name in _ASKING:
        held = next(filter(None, (Holders(script).in_word(word, command) for word in command.words[1:])), None)
        return held.secret if held is not None else ""
    return ""


def _holds_value(assign: Assign) -> bool:
    """Tell whether a secret gets its value: from a variable or a program, or as it is; not a path to it."""
    value = assign.value.text
    if is_literal(assign.name, value):
        return True
    expanded = ("$" in value or "`" in value) and not value.startswith("$((") and not _PATH.match(value)
    return named_like_secret(assign.name) and expanded and not assign.value.raw.startswith("'")


RULE = Rule("MN926", Severity.ERROR, _check)
