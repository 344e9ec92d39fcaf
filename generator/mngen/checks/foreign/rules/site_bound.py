"""Node names and addresses of one cluster make a script run only there."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for directive in script.directives:
            for word in directive.words:
                if word.startswith(("--nodelist=", "--nodelist", "-w")):
                    yield Found(
                        directive.line,
                        f"`{word}` binds the script to these nodes of one cluster, also when they are busy or gone",
                        "let Slurm choose, with --constraint or --exclude if needed; name nodes on sbatch's "
                        "command line",
                    )


RULE = Rule("MN734", Severity.NOTE, _check, choice=True)
