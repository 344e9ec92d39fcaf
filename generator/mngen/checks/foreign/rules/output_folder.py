"""Slurm opens the output file before the script runs, and may not create its folder."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for directive in script.directives:
            for name, value in _paths(directive.words):
                folder = value.rpartition("/")[0]
                if not folder:
                    continue
                relative = "" if value.startswith("/") else " and is looked up from where sbatch is called"
                yield Found(
                    directive.line,
                    f"{name}: the folder `{folder}` must exist before the job starts{relative}; "
                    "Slurm before 23.02 ends the job without any log when it does not",
                    "create it where the job is submitted, and write the path in full",
                )


def _paths(words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for name in ("--output", "--error"):
        for word in words:
            if word.startswith(f"{name}="):
                yield name, word.partition("=")[2]
    for flag, value in pairwise(words):
        if flag in {"-o", "-e", "--output", "--error"}:
            yield flag, value


RULE = Rule("MN733", Severity.NOTE, _check, choice=True)
