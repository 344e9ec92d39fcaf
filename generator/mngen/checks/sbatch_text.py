"""Reads the ``#SBATCH`` lines of a script as sbatch does."""

from __future__ import annotations

import re
import shlex
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from mngen.checks.findings import Finding
from mngen.checks.options import Parsed, parse

# A line break where ^ could stand: a search goes from one to the next, but would try ^ at each character of a script.
_DIRECTIVE = re.compile(r"\n#SBATCH(.*)")
_COMMAND = re.compile(r"\n[^\S\n]*[^\s#]")
_SEPARATORS = frozenset({"hetjob", "packjob"})
"""What begins the next component of a heterogeneous job, as the first word of its line (sbatch(1))."""
_TEMPLATE = re.compile(r"\{[{%]")
_MOST_STRAYS = 40
"""After so many of them the rest is not read: it is no batch script."""


class Directive(Struct, frozen=True):
    """One ``#SBATCH`` line: its number and its words. ``read`` is false where sbatch has stopped reading."""

    line: int
    words: tuple[str, ...]
    read: bool


def directives(text: str) -> Iterator[Directive]:
    """Yield every directive of a script. sbatch stops at the first line that is neither blank nor a comment."""
    if "#SBATCH" not in text:
        return
    lines = f"\n{text}"
    command = _COMMAND.search(lines)
    end = command.start() if command else len(lines)
    for found in _DIRECTIVE.finditer(lines):
        start = found.start()
        yield Directive(lines.count("\n", 0, start) + 1, _words(found[1]), start < end)


def parsed_directives(text: str) -> Parsed:
    """Return the options of all directives that sbatch reads, as one command line.

    Of a heterogeneous job they are those of the first component. sbatch refuses the job at a word that is no option;
    here the next line is read all the same, for what else is wrong.
    """
    return _first(_components(_read_lines(directives(text))))


def stray_words(found: Iterable[Directive]) -> list[tuple[Directive, str]]:
    """Return the words of directives at which sbatch refuses the job, at most one of each line."""
    return _strays(_components(_read_lines(found)))


def _strays(components: list[list[Directive]]) -> list[tuple[Directive, str]]:
    return [
        (component[number], word)
        for component in components
        for number, word in _reading(tuple(directive.words for directive in component)).strays
    ]


def _read_lines(found: Iterable[Directive]) -> list[Directive]:
    return [directive for directive in found if directive.read]


def _first(components: list[list[Directive]]) -> Parsed:
    return _reading(tuple(directive.words for directive in components[0]) if components else ()).parsed


def _components(read: Iterable[Directive]) -> list[list[Directive]]:
    """Part the directives of a heterogeneous job, whose components are read one by one."""
    found: list[list[Directive]] = []
    for directive in read:
        separated = bool(directive.words) and directive.words[0].lower() in _SEPARATORS
        if separated or not found:
            found.append([])
        found[-1].append(Directive(directive.line, directive.words[1:], read=True) if separated else directive)
    return found


class _Reading(Struct, frozen=True):
    """What sbatch makes of some lines, and the words at which it ends: each with the number of its line."""

    parsed: Parsed
    strays: tuple[tuple[int, str], ...]


@lru_cache(maxsize=256)  # the jobs of one call have many directives in common
def _reading(lines: tuple[tuple[str, ...], ...]) -> _Reading:
    words = [word for line in lines for word in line]
    ends = list(accumulate(len(line) for line in lines))
    kept: list[str] = []
    strays: list[tuple[int, str]] = []
    place = 0
    while place < len(words):
        stop = len(words) - len(parse("sbatch", words[place:], check_values=False).operands)
        before = words[place:stop]
        ended = stop < len(words) and before[-1:] == ["--"]
        kept += before[:-1] if ended else before
        if stop == len(words):
            break
        line = bisect_right(ends, stop)
        place = stop + 1
        if _TEMPLATE.search(words[stop]):
            place = ends[line]
        elif not _may_be_more(before, words[stop]):
            strays.append((line, words[stop]))
            place = ends[line]
        if len(strays) == _MOST_STRAYS:
            break
    return _Reading(parse("sbatch", kept, check_values=True), tuple(strays))


def _may_be_more(before: list[str], word: str) -> bool:
    """Tell whether a word may be more than it looks: a variable full of options, the value of a site's own option."""
    if "$" in word or "`" in word:
        return True
    name = before[-1] if before else ""
    if not name.startswith("-") or "=" in name:
        return False
    problems = parse("sbatch", [name], check_values=False).problems
    return any(problem.startswith("unknown option") for problem in problems)


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
    components = _components(_read_lines(found))
    problems.extend(
        Finding(found[0].line, 1, "", "error", problem)
        for problem in _first(components).problems
        if not problem.startswith("unknown option")
    )
    problems.extend(
        Finding(directive.line, 1, "", "error", f"sbatch refuses the job at `{word}`, which is no option")
        for directive, word in _strays(components)
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
