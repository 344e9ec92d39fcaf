"""Reads a command line the way its program would, and says what the program would not accept.

>>> parse_command("sbatch", ["--nodes=2", "--partion=gpu", "job.sbatch"])
['unknown option --partion']
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from mngen.checks.option_relations import relation_problems
from mngen.checks.option_tables import Option, Table, find_program, programs, table
from mngen.checks.option_values import value_problem
from mngen.manifest.whole_numbers import whole_number

__all__ = ["Parsed", "find_program", "parse", "parse_command", "programs"]

SHORT_FOR = " is short for "
"""What a problem says of an option that is accepted as it is: abbreviated."""

TWICE = " is given twice"
"""What a problem says of an option that is given more than once, though its program takes one value of it."""


class Parsed(Struct, frozen=True):
    """A command line in parts: options in the order given, by their long name, then the operands."""

    options: tuple[tuple[str, str | None], ...]
    operands: tuple[str, ...]
    problems: tuple[str, ...]

    def has(self, name: str) -> bool:
        """Tell whether the option with this long name was given."""
        return any(given == name for given, _ in self.options)

    def value(self, name: str) -> str | None:
        """Return the last value given for the option, or ``None``."""
        found = self.values(name)
        return found[-1] if found else None

    def values(self, name: str) -> tuple[str, ...]:
        """Return every value given for the option, in order."""
        return tuple(value for given, value in self.options if given == name and value is not None)


def parse_command(program: str, argv: Sequence[str], version: str | None = None) -> list[str]:
    """List what ``program`` (``docker run``) would refuse or misread in ``argv``, the words after its name.

    ``version`` is the program's release; without it, options of any release pass. Raises ``KeyError``
    for a program without a table.
    """
    return list(parse(program, argv, version).problems)


def parse(program: str, argv: Sequence[str], version: str | None = None, *, check_values: bool = True) -> Parsed:
    """Take a command line apart; ``check_values=False`` is for text whose variables are not expanded yet."""
    rules = table(program)
    reader = _Reader(table=rules, words=tuple(argv), version=version, check_values=check_values)
    reader.read()
    if rules.since is not None and version is not None and _numbers(version) < _numbers(rules.since):
        reader.problems.append(f"{program} exists since {rules.since}, not in {version}")
    if check_values:
        reader.problems.extend(relation_problems(program, reader.options, version))
    return Parsed(tuple(reader.options), tuple(reader.operands), tuple(reader.problems))


class _Reader(Struct):
    """The state of one reading: a place in ``words`` and what was found up to there."""

    table: Table
    words: tuple[str, ...]
    version: str | None
    check_values: bool
    place: int = 0
    options: list[tuple[str, str | None]] = field(default_factory=list)
    operands: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def read(self) -> None:
        while self.place < len(self.words):
            word = self.words[self.place]
            self.place += 1
            if word == "--":
                break
            if word.startswith("--"):
                self._long(word)
            elif word.startswith("-") and len(word) > 1:
                self._shorts(word)
            else:
                self.operands.append(word)
                if not self.table.interspersed:
                    break
        self.operands.extend(self.words[self.place :])

    def _long(self, word: str) -> None:
        name, has_value, value = word.partition("=")
        option = self.table.find(name) or self._abbreviated(name)
        if option is None:
            self.problems.append(f"unknown option {name}")
        elif has_value:
            if option.kind in {"flag", "count"} and not (self.table.syntax == "pflag" and value in {"true", "false"}):
                self.problems.append(f"{name} takes no value, but `{value}` is given")
            self._take(option, value)
        elif option.takes_value:
            self._take(option, self._next(name))
        else:
            self._take(option, None)

    def _shorts(self, word: str) -> None:
        rest = word[1:]
        while rest:
            spelling, rest = f"-{rest[0]}", rest[1:]
            option = self.table.find(spelling)
            if option is None:
                self.problems.append(f"unknown option {spelling}")
                return
            if not option.takes_value:
                self._take(option, rest or None if option.kind == "optional" else None)
                if option.kind == "optional":
                    return
                continue
            if rest.startswith("=") and self.table.syntax != "pflag":
                self.problems.append(f"{spelling}={rest[1:]}: a short option has no `=`; the value would begin with it")
            self._take(option, rest.removeprefix("=") if rest else self._next(spelling))
            return

    def _next(self, name: str) -> str | None:
        if self.place >= len(self.words):
            self.problems.append(f"{name} needs a value, and the line ends")
            return None
        value = self.words[self.place]
        self.place += 1
        if self.table.find(value.partition("=")[0]) is not None and value.startswith("-"):
            self.problems.append(f"{name} takes the option `{value}` as its value")
        return value

    def _take(self, option: Option, value: str | None) -> None:
        repeatable = option.many or option.kind == "count"
        if not repeatable and any(name == option.name for name, _ in self.options):
            self.problems.append(f"{option.name}{TWICE}")
        self.options.append((option.name, value))
        self._check_version(option)
        if not self.check_values or value is None:
            return
        if not value and self.table.syntax in {"getopt", "click"}:
            self.problems.append(f"{option.name} has an empty value")
            return
        problem = value_problem(option, value)
        if problem is not None:
            self.problems.append(problem)

    def _check_version(self, option: Option) -> None:
        if self.version is None:
            return
        if option.since is not None and _numbers(self.version) < _numbers(option.since):
            self.problems.append(f"{option.name} exists since {option.since}, not in {self.version}")
        if option.until is not None and _numbers(self.version) >= _numbers(option.until):
            self.problems.append(f"{option.name} is gone since {option.until}")

    def _abbreviated(self, spelling: str) -> Option | None:
        """Return the one option that begins so, where the program's parser takes abbreviations, and say so."""
        if self.table.syntax not in {"getopt", "argparse"}:
            return None
        longer = {option.name: option for name, option in self.table.options.items() if name.startswith(spelling)}
        if len(longer) != 1:
            return None
        option = next(iter(longer.values()))
        self.problems.append(f"{spelling}{SHORT_FOR}{option.name}; write it out")
        return option


def _numbers(version: str) -> tuple[int, ...]:
    parts: list[int] = []
    for part in version.split("."):
        number = whole_number(re.sub(r"[^0-9]", "", part))
        if number is None:
            break
        parts.append(number)
    return tuple(parts)
