"""Finds the programs that a command starts, through ``srun``, ``docker exec``, ``bash -c`` and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from mngen.checks.foreign.words import Command, Word
from mngen.checks.option_tables import find_program
from mngen.checks.options import Parsed, parse

_ARRAY = re.compile(r"^\$\{([A-Za-z_]\w*)\[@\]\}$")
_SKIPPED = {
    "srun": 0,
    "apptainer exec": 1,
    "apptainer run": 1,
    "docker exec": 1,
    "docker run": 1,
    "podman exec": 1,
    "podman run": 1,
}
"""Programs that start another one, and how many operands stand before it (the image or container)."""

_PLAIN = {"nohup", "exec", "command", "sudo", "setsid", "time", "nice", "stdbuf", "builtin", "then", "!"}
_UNKNOWN = Parsed((), (), ())


@dataclass(frozen=True, slots=True)
class Call:
    """One program as a command starts it.

    ``program`` names it with its subcommand when there is an option table (``docker run``), else by its
    base name; ``words`` come after that name. ``outer`` lists the programs that it runs under.
    """

    program: str
    words: tuple[Word, ...]
    options: Parsed
    outer: tuple[str, ...]
    command: Command

    @property
    def line(self) -> int:
        """The line of the command."""
        return self.command.line

    @property
    def texts(self) -> tuple[str, ...]:
        """The words' texts."""
        return tuple(word.text for word in self.words)

    def lacks(self, *options: str) -> bool:
        """Tell whether none of these options is given, nor an array or ``"$@"`` that may hold it."""
        unseen = any(_ARRAY.match(word.text) or word.text in {"$@", "$*"} for word in self.words)
        return not unseen and not any(self.options.has(name) for name in options)

    def under(self, *programs: str) -> bool:
        """Tell whether one of ``programs`` (or of their subcommands) runs this one."""
        return any(outer.split()[0] in programs for outer in self.outer)


def calls(command: Command, arrays: Mapping[str, tuple[Word, ...]] = MappingProxyType({})) -> Iterator[Call]:
    """Yield the programs of a command, the outermost first; ``"${name[@]}"`` stands for that array's words."""
    words = tuple(_expanded(command.words, arrays))
    outer = command.outer
    while words:
        call = _call(words, outer, command)
        yield call
        words = _wrapped(call)
        outer = (*outer, call.program)


def _expanded(words: tuple[Word, ...], arrays: Mapping[str, tuple[Word, ...]]) -> Iterator[Word]:
    for word in words:
        match = _ARRAY.match(word.text)
        items = arrays.get(match.group(1)) if match else None
        yield from (word,) if items is None else items


def inline_script(call: Call) -> Word | None:
    """Return the text of ``bash -c TEXT``, or ``None``."""
    if call.program not in {"bash", "sh", "zsh", "dash"}:
        return None
    for number, word in enumerate(call.words):
        if re.fullmatch(r"-[a-z]*c", word.text):
            return call.words[number + 1] if number + 1 < len(call.words) else None
        if not word.text.startswith("-"):
            return None
    return None


def _call(words: tuple[Word, ...], outer: tuple[str, ...], command: Command) -> Call:
    texts = [word.text for word in words]
    found = find_program(texts)
    if found is None:
        return Call(texts[0].rsplit("/", 1)[-1], words[1:], _UNKNOWN, outer, command)
    program, length = found
    # An array in place of options says nothing about them, and is no operand either.
    known = [text for text in texts[length:] if not _ARRAY.match(text)]
    return Call(program, words[length:], parse(program, known, check_values=False), outer, command)


def _wrapped(call: Call) -> tuple[Word, ...]:
    """Return the words of the command that this one starts, if it starts one."""
    if call.program in _SKIPPED:
        inner = len(call.options.operands) - _SKIPPED[call.program]
        return call.words[-inner:] if inner > 0 else ()
    if call.program in _PLAIN:
        return _after_options(call.words)
    if call.program == "env":
        rest = _after_options(call.words)
        while rest and "=" in rest[0].text:
            rest = rest[1:]
        return rest
    if call.program == "timeout":
        return _after_options(call.words)[1:]
    if call.program == "ray job submit":
        return call.words[-len(call.options.operands) :] if call.options.operands else ()
    return ()


def _after_options(words: tuple[Word, ...]) -> tuple[Word, ...]:
    while words and words[0].text.startswith("-"):
        words = words[1:]
    return words
