"""Reads the ``#SBATCH`` lines of a script as sbatch does."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from mngen.checks.findings import Finding
from mngen.checks.options import Parsed, parse

# A line break where ^ could stand: a search goes from one to the next, but would try ^ at each character of a script.
_DIRECTIVE = re.compile(r"\n#SBATCH(.*)")
_COMMAND = re.compile(r"\n[^\S\n]*[^\s#]")


class Directive(Struct, frozen=True):
    """One ``#SBATCH`` line: its number and its words. ``read`` is false where sbatch has stopped reading."""

    line: int
    words: tuple[str, ...]
    read: bool


def directives(text: str) -> Iterator[Directive]:
    """Yield every directive of a script. sbatch stops at the first line that is neither blank nor a comment."""
    lines = f"\n{text}"
    command = _COMMAND.search(lines)
    end = command.start() if command else len(lines)
    for found in _DIRECTIVE.finditer(lines):
        start = found.start()
        yield Directive(lines.count("\n", 0, start) + 1, _words(found[1]), start < end)


def parsed_directives(text: str) -> Parsed:
    """Return the options of all directives that sbatch reads, as one command line."""
    return _parsed(_read_words(directives(text)))


def _read_words(found: Iterable[Directive]) -> tuple[str, ...]:
    return tuple(word for directive in found if directive.read for word in directive.words)


@lru_cache(maxsize=256)  # the jobs of one call have many directives in common
def _parsed(words: tuple[str, ...]) -> Parsed:
    return parse("sbatch", words, check_values=True)


def directive_problems(text: str, ignored: Collection[str] = ()) -> list[Finding]:
    """Return what sbatch refuses or overlooks in the directives of a generated script.

    Options that Slurm itself does not know are left alone: sites add their own by plugins. A line that is
    ``ignored``, one of the user's own text, is no directive where sbatch has stopped reading.
    """
    found = tuple(directives(text))
    if not all(item.read for item in found):
        lines = text.split("\n")
        found = tuple(item for item in found if item.read or lines[item.line - 1] not in ignored)
    problems = [
        Finding(item.line, 1, "", "error", "it stands after the first command, so sbatch does not read it")
        for item in found
        if not item.read
    ]
    if not found:
        return problems
    problems.extend(
        Finding(found[0].line, 1, "", "error", problem)
        for problem in _parsed(_read_words(found)).problems
        if not problem.startswith("unknown option")
    )
    return problems


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    """Split one line the way sbatch does: quotes group, an unescaped ``#`` begins a comment."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = "#"
    try:
        return tuple(lexer)
    except ValueError:
        return tuple(text.split())
