"""Nothing expands variables in a directive."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for directive in () if script.unexpanded else script.directives:
            for word in directive.words:
                if "$" in word or "=~" in word or word.startswith("~"):
                    yield Found(
                        directive.line,
                        f"`{word}`: sbatch expands neither `$` nor `~`, so the value is taken as it stands",
                        "write the value, use a pattern such as %j, or pass the option on sbatch's command line",
                    )


RULE = Rule("MN730", Severity.ERROR, _check)
