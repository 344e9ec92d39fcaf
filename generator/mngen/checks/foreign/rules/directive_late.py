"""sbatch reads directives only up to the first command, and only those that begin their line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.lines import Place, lines_of
from mngen.checks.foreign.scanner import comment_lines
from mngen.checks.options import parse
from mngen.diagnostics import Severity

_WORD = "SBATCH"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SPLITS = tuple((_WORD[:place], _WORD[place:]) for place in range(len(_WORD) + 1))
_MISSPELT = frozenset(
    (
        *(left + right[1:] for left, right in _SPLITS),
        *(left + right[1:2] + right[:1] + right[2:] for left, right in _SPLITS),
        *(left + letter + right[1:] for left, right in _SPLITS for letter in _LETTERS),
        *(left + letter + right for left, right in _SPLITS for letter in _LETTERS),
    )
)
"""The word as one slip makes it: a letter that is missing, wrong or too many, or two that are swapped."""
_LOOKALIKE = re.compile(r"^([ \t]*#[ \t]*([A-Za-z]{5,7}))[ \t]*(--?[A-Za-z][^#\n]*)", re.MULTILINE)
"""A comment with options, and a word that may be the one that sbatch reads. Two ``#`` put a directive aside."""
_JOBS = (".sbatch", ".slurm")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for directive in script.directives:
            if not directive.read:
                yield Found(
                    directive.line,
                    "this directive stands after the first command, so sbatch does not read it",
                    "move it up, above every command",
                )
        if script.sbatch or document.file.endswith(_JOBS):
            yield from _lookalikes(*script.pieces[0])


def _lookalikes(text: str, place: Place) -> Iterator[Found]:
    """Find comments that were surely meant as directives: options follow, and no words of a sentence.

    sbatch compares the first seven characters of a line with ``#SBATCH``, capitals and all, and wants no blank behind
    them (https://github.com/SchedMD/slurm, src/sbatch/opt.c, _opt_batch_script).
    """
    meant = [match for match in _LOOKALIKE.finditer(text) if _is_meant(match[1], match[2], match[3].split())]
    if not meant:
        return
    comments, own, lines = comment_lines(text), lines_of(text, 1), lines_of(text, place)
    for match in meant:
        if own.at(match.start()) in comments:
            yield _passed_over(lines.at(match.start()), *match.groups())


def _passed_over(line: int, start: str, word: str, options: str) -> Found:
    start = start.strip()
    wrong = "without blanks, at the very beginning of a line" if word == _WORD else f"and passes over `{start}`"
    return Found(
        line,
        f"this is only a comment: sbatch reads `#SBATCH` {wrong}",
        f"write `#SBATCH {options.strip()}`; to put a directive aside on purpose, begin it with `##`",
        Severity.WARNING,
        at=start,
    )


def _is_meant(start: str, word: str, options: list[str]) -> bool:
    """Tell whether a comment is a directive that went wrong, by how it begins and by its words.

    In small letters behind a blank it may be a note on how the file is submitted; of another word than sbatch's own
    every option must be one of sbatch's.
    """
    if start == "#SBATCH" or word.upper() not in _MISSPELT:
        return False
    parsed = parse("sbatch", options, check_values=False)
    if parsed.operands:
        return False
    if word == _WORD:
        return True
    known = not any(problem.startswith("unknown option") for problem in parsed.problems)
    return known and (start == f"#{word}" or word.isupper())


RULE = Rule("MN731", Severity.ERROR, _check)
