"""sbatch reads directives only up to the first command, and only those that begin their line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.lines import Place, lines_of
from mngen.checks.foreign.scanner import comment_lines
from mngen.checks.options import parse
from mngen.diagnostics import Severity

_LOOKALIKE = re.compile(r"^(?:[ \t]+#[ \t]*|#[ \t]+)SBATCH[ \t]+(--?[A-Za-z][^#\n]*)", re.MULTILINE)
"""A comment with blanks before or behind its ``#``. Two ``#`` are the usual way to put a directive aside."""
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
    """Find comments that were surely meant as directives: options follow, and no words of a sentence."""
    comments: frozenset[int] | None = None
    for match in _LOOKALIKE.finditer(text):
        comments = comment_lines(text) if comments is None else comments
        line = text.count("\n", 0, match.start()) + 1
        if line in comments and not parse("sbatch", match.group(1).split(), check_values=False).operands:
            yield Found(
                lines_of(text, place).at(match.start()),
                "this is only a comment: sbatch reads `#SBATCH` without blanks, at the very beginning of a line",
                "write `#SBATCH` without blanks; to put a directive aside on purpose, begin it with `##`",
                Severity.WARNING,
            )


RULE = Rule("MN731", Severity.ERROR, _check)
