"""Finds the programs that a command starts, through ``srun``, ``docker exec``, ``bash -c`` and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile

from msgspec import Struct
from msgspec.structs import replace

from mngen.checks.foreign.expansion import Values, is_expansion, is_several
from mngen.checks.foreign.launchers import find_launcher, started
from mngen.checks.foreign.shells import SHELLS, shell_words
from mngen.checks.foreign.words import Command, Word
from mngen.checks.option_tables import find_program
from mngen.checks.options import Parsed, parse

_SKIPPED = {
    "srun": 0,
    "apptainer exec": 1,
    "apptainer run": 1,
    "docker exec": 1,
    "docker run": 1,
    "podman exec": 1,
    "podman run": 1,
}
"""Programs with a table of options that start another one, and how many operands stand before it (the image)."""
_COMMANDS = frozenset({"python", "python3", "bash", "sh", "torchrun"})
"""What tells, beside programs that are known, that the words behind an unknown variable are a command."""

_WITHOUT_OPERANDS = frozenset({"srun", "ray start"})
"""Programs whose own words are all options, so that a variable among them holds options too."""
_READERS = frozenset({"ssh", "pdsh", "clush", "eval"})
_SEVERAL_WORDS = re.compile(r"(?!\$\(|`).*\s", re.DOTALL)
_RAY_MODULE = "ray.scripts.scripts"
"""What Python runs in the place of ``ray``.

https://github.com/ray-project/ray, end of python/ray/scripts/scripts.py."""
_MOST_VARIABLES = 40
"""How many variables of a command are looked up: one whose value leads back to itself has no end."""
_UNKNOWN = Parsed((), (), ())
_NO_VALUES = Values()


class Call(Struct, frozen=True):
    """One program as a command starts it.

    ``program`` names it with its subcommand when there is an option table (``docker run``), else by its
    base name; ``words`` come after that name. ``outer`` lists the programs that it runs under.
    """

    program: str
    words: tuple[Word, ...]
    options: Parsed
    outer: tuple[str, ...]
    command: Command
    unseen: bool = False
    """Whether a variable that is not known stands among its options, and may hold any of them."""

    @property
    def line(self) -> int:
        """The line of the command."""
        return self.command.line

    @property
    def texts(self) -> tuple[str, ...]:
        """The words' texts."""
        return tuple(word.text for word in self.words)

    def lacks(self, *options: str) -> bool:
        """Tell whether none of these options is given, nor an array, a variable or ``"$@"`` that may hold it."""
        unseen = self.unseen or any(is_several(word) for word in self._own_words)
        return not unseen and not any(self.options.has(name) for name in options)

    @property
    def _own_words(self) -> tuple[Word, ...]:
        """The words up to the program that this one starts, the first of which may still stand for options."""
        if self.program not in _SKIPPED:
            return self.words
        return self.words[: len(self.words) - len(self.options.operands) + 1]

    @property
    def hidden(self) -> bool:
        """Tell whether a variable that is not known stands before the program, and may hold any launcher."""
        return any(outer.startswith("$") for outer in self.outer)

    def under(self, *programs: str) -> bool:
        """Tell whether one of ``programs`` (or of their subcommands) runs this one."""
        return any(outer.split()[0] in programs for outer in self.outer)


def calls(command: Command, values: Values = _NO_VALUES) -> Iterator[Call]:
    """Yield the programs of a command, the outermost first; known variables stand for what ``values`` says."""
    words = tuple(values.arrays_in(command.words))
    outer = command.outer
    while words:
        call = _call(_as_ray(values.at_front(words)), outer, command, values)
        yield call
        words = _wrapped(call)
        outer = (*outer, call.program)


def inline_script(call: Call) -> Word | None:
    """Return the text of ``bash -c TEXT``, or ``None``."""
    return shell_words(call.words).text if call.program in SHELLS else None


def remote_script(call: Call) -> Word | None:
    """Return the one word that ``ssh HOST TEXT``, ``pdsh`` or ``eval TEXT`` reads as a script, or ``None``.

    A command's output, as in ``eval "$(ssh-agent)"``, is no text that can be read here.
    """
    word = remote_word(call)
    return word if word is not None and _SEVERAL_WORDS.match(word.text) else None


def remote_word(call: Call) -> Word | None:
    """Return what such a program is given for a command, if that is one word."""
    words = started(call.program, call.words) if call.program in _READERS else ()
    return words[0] if len(words) == 1 else None


def reads_input(call: Call) -> bool:
    """Tell whether a program takes a here-document for a script: a shell, or ``ssh`` without a command."""
    if call.program in SHELLS:
        return shell_words(call.words).reads_input
    return call.program == "ssh" and not started("ssh", call.words)


def _as_ray(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Put ``ray`` in the place of a Python that is told to run its module; Python's own options may stand between."""
    place = next((number for number, word in enumerate(words) if number and not word.text.startswith("-")), 0)
    if place < 2 or words[place].text != _RAY_MODULE or words[place - 1].text != "-m":
        return words
    return (Word("ray", "ray", words[0].line), *words[place + 1 :])


def _call(words: tuple[Word, ...], outer: tuple[str, ...], command: Command, values: Values) -> Call:
    texts = [word.text for word in words]
    found = find_program(texts)
    if found is None:
        name, length = find_launcher(texts) or (texts[0].rsplit("/", 1)[-1], 1)
        name = texts[0] if is_expansion(words[0]) else name
        return Call(name, words[length:], _UNKNOWN, outer, command)
    program, length = found
    own, unseen = _with_options(program, words[length:], values)
    # An array in place of options says nothing about them, and is no operand either.
    told = own if program in _SKIPPED else tuple(word for word in own if not is_several(word))
    return Call(program, own, _parsed(program, told), outer, command, unseen)


def _parsed(program: str, words: tuple[Word, ...]) -> Parsed:
    return parse(program, [word.text for word in words], check_values=False)


def _with_options(program: str, words: tuple[Word, ...], values: Values) -> tuple[tuple[Word, ...], bool]:
    """Put the values of variables among a program's options in their place, and leave out those that are not known.

    Returns the words, and whether something was left out. What may be an image or a container stays.
    """
    unseen = False
    for _ in range(_MOST_VARIABLES):
        place = _place_of_variable(program, words)
        if place is None:
            break
        value = values.of(words[place])
        options = value is not None and value[0].text.startswith("-")
        if program not in _WITHOUT_OPERANDS and not (is_several(words[place]) or options):
            break
        unseen = unseen or value is None
        words = (*words[:place], *(value or ()), *words[place + 1 :])
    return words, unseen


def _place_of_variable(program: str, words: tuple[Word, ...]) -> int | None:
    """Return where an expansion stands in the place of an option: as the first operand, of `ray start` as any."""
    if program not in _SKIPPED and program not in _WITHOUT_OPERANDS:
        return None
    operands = _parsed(program, words).operands
    if program == "ray start":
        return next((n for n, word in enumerate(words) if word.text in operands and is_expansion(word)), None)
    first = len(words) - len(operands)
    return first if operands and is_expansion(words[first]) else None


def _wrapped(call: Call) -> tuple[Word, ...]:
    """Return the words of the command that this one starts, if it starts one."""
    if call.program in _SKIPPED:
        inner = len(call.options.operands) - _SKIPPED[call.program]
        entry = call.options.value("--entrypoint")  # what the image's words are given to (docker-run(1))
        started_by = (Word(entry, entry, call.line),) if entry and inner >= 0 else ()
        return (*started_by, *(call.words[-inner:] if inner > 0 else ()))
    if call.program == "ray job submit":
        return call.words[-len(call.options.operands) :] if call.options.operands else ()
    if call.program.startswith("$"):
        return call.words if _is_known(call.words) else ()
    if remote_script(call) is not None:
        return ()
    words = started(call.program, call.words)
    return tuple(replace(word, bare=True) for word in words) if call.program == "eval" else words


def _is_known(words: tuple[Word, ...]) -> bool:
    """Tell whether words begin a command for sure, as far as variables in front of it let see."""
    texts = [word.text for word in dropwhile(is_expansion, words)]
    return bool(texts) and (texts[0] in _COMMANDS or (find_program(texts) or find_launcher(texts)) is not None)
