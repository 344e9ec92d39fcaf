"""Follows secrets through a script: by which other variables their values are reached.

``COMMAND="KEY=$KEY train"`` puts the value into COMMAND, and so does a here-document that ``read`` or ``cat`` takes, if
its end word has no quotes (bash(1), Here Documents).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from mngen.checks.foreign.expansion import without_single_quoted
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Assign, Command, Word
from mngen.manifest.token_shapes import named_like_model_token

_SECRET = re.compile(
    r"(?<!\\)\$\{?((?!PUBLIC|\w*_PUBLIC)\w*(?:(?:API|ACCESS|SECRET|PRIVATE|AUTH)_KEY|TOKEN|SECRET|PASSWORD|PASSWD))\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"(?<!\\)\$(?:(\w+)|\{(\w+)(?:\[[@*\d]+\])?(?:\}|:?[-=]))")
"""A variable whose whole value is put there."""
_NOT_THE_VALUE = re.compile(r"\$\{\w+:?\+(?:[^${}]|\$(?!\{))*\}")
"""``${NAME:+words}`` stands for the words, not for the value."""
_COMPUTED = re.compile(r"\$\([^()]*\)|`[^`]*`")
_NAME = re.compile(r"[A-Za-z_]\w*")
_READING = frozenset({"read", "mapfile", "readarray"})
_PRINTING = frozenset({"echo", "printf"})
_COPYING = frozenset({"cat", "tee"})
_INNER = frozenset({"string", "heredoc"})


class Held(Struct, frozen=True):
    """The name of a secret whose value a text has, and the variable that brings it, if that is another one."""

    secret: str
    holder: str = ""

    def __str__(self) -> str:
        """Name it as findings do."""
        return f"{self.secret}, which {self.holder} holds," if self.holder else self.secret


class Holders(Struct):
    """The variables that hold a secret at one place of a script, each with the secret's name.

    ``inner`` are those of the script in a script that is being read, which sees the outer ones that are exported.
    """

    script: Script
    outer: dict[str, str] = field(default_factory=dict)
    inner: dict[str, str] = field(default_factory=dict)

    def in_text(self, text: str, command: Command) -> Held | None:
        """Return the first secret whose value a shell puts into a text of ``command``; quotes play no part in it."""
        text = _NOT_THE_VALUE.sub("", text)
        for match in _SECRET.finditer(text):
            if not named_like_model_token(match.group(1)):
                return Held(match.group(1))
        seen = self._seen(command)
        names = (match.group(1) or match.group(2) for match in _WHOLE.finditer(text) if seen)
        return next((Held(seen[name], name) for name in names if name in seen and self._reaches(name, command)), None)

    def in_word(self, word: Word, command: Command) -> Held | None:
        """Return the first secret in a word, but for what single quotes keep from the shell."""
        return self.in_text(without_single_quoted(word.raw), command) if "$" in word.raw else None

    def in_input(self, command: Command) -> Held | None:
        """Return the first secret in the here-documents and strings that a command reads."""
        for redirect in command.redirects:
            found = self.in_text(redirect.body or "", command) if redirect.expanded else None
            found = self.in_word(redirect.target, command) if redirect.operator == "<<<" else found
            if found is not None:
                return found
        return None

    def take(self, command: Command) -> None:
        """Go on behind a command: what it puts into variables."""
        if not command.origin:
            self.inner.clear()
        told = self.inner if command.origin in _INNER else self.outer
        certain = not (command.branches or command.loops or command.function or command.before in {"&&", "||"})
        for assign in command.assigns:
            if assign.alone:
                self._put(told, assign.name, self._assigned(assign, command), certain and not assign.append)
        if command.name in _READING:
            found = self.in_input(command)
            for name in filter(_NAME.fullmatch, command.args):
                self._put(told, name, found, certain)
        elif command.name == "printf" and command.args[:1] == ("-v",):
            found = next(filter(None, (self.in_word(word, command) for word in command.words[3:])), None)
            self._put(told, "".join(command.args[1:2]), found, certain)
        elif command.name == "unset" and certain:
            for name in command.args:
                told.pop(name, None)

    def _seen(self, command: Command) -> Mapping[str, str]:
        return {**self.outer, **self.inner} if command.origin else self.outer

    def _reaches(self, name: str, command: Command) -> bool:
        """Tell whether a command sees a variable: a shell of its own sees the exported ones alone, unlike ``eval``."""
        return command.origin not in _INNER or name in self.inner or self.script.exported(name)

    def _put(self, told: dict[str, str], name: str, found: Held | None, certain: bool) -> None:
        if found is not None:
            told[name] = found.secret
        elif certain:
            told.pop(name, None)

    def _assigned(self, assign: Assign, command: Command) -> Held | None:
        words = assign.value.items if assign.value.items is not None else (assign.value,)
        for word in words:
            found = self._printed(word, command) if word.inner else None
            plain = (
                _COMPUTED.sub("", without_single_quoted(word.raw)) if word.inner else without_single_quoted(word.raw)
            )
            found = found or self.in_text(plain, command)
            if found is not None:
                return found
        return None

    def _printed(self, word: Word, command: Command) -> Held | None:
        """Return the secret that a substitution prints, if it does nothing but print."""
        if len(word.inner) != 1:
            return None
        printing = word.inner[0]
        if printing.name in _PRINTING:
            return next(filter(None, (self.in_word(item, command) for item in printing.words[1:])), None)
        return self.in_input(printing) if printing.name in _COPYING else None


def with_holders(script: Script) -> Iterator[tuple[int, Command, Holders]]:
    """Yield the place of each command, the command, and which variables hold secrets there."""
    holders = Holders(script)
    for place, command in enumerate(script.commands):
        yield place, command, holders
        holders.take(command)
