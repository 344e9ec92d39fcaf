"""Directives that Slurm refuses, or that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.directives:
            continue
        for problem in script.slurm.problems:
            unknown = problem.startswith("unknown option")
            yield Found(
                script.directives[0].line,
                f"sbatch: {problem}",
                "check the spelling; a site's own plugin may know the option" if unknown else "keep one of them",
                Severity.WARNING if unknown else None,
            )


RULE = Rule("MN732", Severity.ERROR, _check)
