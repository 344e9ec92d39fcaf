"""sbatch reads directives only up to the first command."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for directive in script.directives:
            if not directive.read:
                yield Found(
                    directive.line,
                    "this directive stands after the first command, so sbatch does not read it",
                    "move it up, above every command",
                )


RULE = Rule("MN731", Severity.ERROR, _check)
