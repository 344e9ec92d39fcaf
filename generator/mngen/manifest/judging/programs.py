"""Which programs a command starts: behind ``env``, ``uv run`` and ``python -m``, and in the text of ``bash -c``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from mngen.manifest.judging.shell_words import script_word
from mngen.manifest.text import Text, spelled

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=.*", re.DOTALL)
_PYTHON = re.compile(r"python(?:\d[\d.]*)?")
_BEFORE = frozenset(
    {"command", "env", "exec", "nohup", "sudo", "time"}
    | {"!", "{", "}", "do", "done", "elif", "else", "fi", "if", "then", "until", "while"}
)
"""Words in front of a command that leave it what it is; options may follow them."""
_SEPARATORS = ";&|()\n"
_STREAMS = re.compile(r"(?<!\d)\d*>&[\d-]+|&>")
"""Redirections with an ``&`` that separates nothing."""
_WITH_VALUE = {"env": ("-u", "-C", "-S"), "python": ("-X", "-W"), "timeout": ("-k", "-s")}
"""Options whose value is a word of its own."""


class Call(Struct, frozen=True):
    """A program's name, or a module's that Python runs, with its words; and the field of each of them."""

    words: tuple[str, ...]
    fields: tuple[str, ...]

    def option(self, names: Collection[str]) -> tuple[str, str, str] | None:
        """Return an option as it is spelled, its value and its field; the last one counts, and ``_`` is a dash."""
        found = None
        for index, word in enumerate(self.words):
            name, equals, value = word.partition("=")
            if name.replace("_", "-") not in names:
                continue
            if not equals:
                value = self.words[index + 1] if index + 1 < len(self.words) else ""
            found = name, value, self.fields[index]
        return found


def calls(words: Sequence[tuple[str, Text]]) -> list[Call]:
    """Return what a command's words start; of a shell with a text, what the text does."""
    plain = [(field, spelled(text)) for field, text in words]
    place = script_word([word for _, word in plain])
    if place is None:
        commands = [plain]
    elif place < len(plain):
        field, text = plain[place]
        commands = [[(field, word) for word in command] for command in _commands(text)]
    else:
        return []
    found = (_program(command) for command in commands)
    return [
        Call(tuple(word for _, word in call), tuple(field for field, _ in call))  # each word with its place
        for call in found
        if call
    ]


def _commands(text: str) -> Iterator[list[str]]:
    """Split a shell's text into its commands; one that cannot be read has none, which other findings say."""
    lexer = shlex.shlex(_STREAMS.sub(" ", text.replace("\\\n", " ")), posix=True, punctuation_chars=_SEPARATORS)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    command: list[str] = []
    comment = False
    try:
        for word in lexer:
            if word.strip(_SEPARATORS):
                comment = comment or word.startswith("#")
                if not comment:
                    command.append(word)
                continue
            comment = comment and "\n" not in word
            if not comment and command:
                yield command
                command = []
    except ValueError:
        return
    if command:
        yield command


def _program(words: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return a command from its program's name on, without its folder; nothing where Python runs a text."""
    rest = words
    while rest:
        name = rest[0][1].rpartition("/")[2]
        if _ASSIGNMENT.fullmatch(rest[0][1]):
            rest = rest[1:]
        elif name in _BEFORE:
            rest = _behind_options(rest[1:], _WITH_VALUE.get(name, ()))
        elif name == "uv" and [word for _, word in rest[1:2]] == ["run"]:
            rest = _behind_options(rest[2:], ())
        elif name == "timeout":
            rest = _behind_options(rest[1:], _WITH_VALUE[name])[1:]
        elif _PYTHON.fullmatch(name):
            return _python(rest[1:])
        else:
            return [(rest[0][0], name), *rest[1:]]
    return []


def _python(words: list[tuple[str, str]]) -> list[tuple[str, str]]:
    options = len(words) - len(_behind_options(words, (*_WITH_VALUE["python"], "-m", "-c")))
    for index in range(options):
        if words[index][1] in {"-m", "-c"}:
            return words[index + 1 :] if words[index][1] == "-m" else []
    rest = words[options:]
    return [(rest[0][0], rest[0][1].rpartition("/")[2]), *rest[1:]] if rest else []


def _behind_options(words: list[tuple[str, str]], with_value: Collection[str]) -> list[tuple[str, str]]:
    place = 0
    while place < len(words) and words[place][1].startswith("-"):
        place += 2 if words[place][1] in with_value else 1
    return words[place:]
