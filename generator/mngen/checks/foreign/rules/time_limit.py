"""At its time limit a job is killed without a word."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if script.directives and script.slurm.has("--time") and not script.slurm.has("--signal"):
            directive = next(
                item for item in script.directives if any(w.startswith(("--time", "-t")) for w in item.words)
            )
            yield Found(
                directive.line,
                "at the time limit the job is killed with no warning, and what was not saved by then is lost",
                "ask for a signal ahead of it, `--signal=B:USR1@300`, trap it, save and requeue",
            )


RULE = Rule("MN743", Severity.NOTE, _check, choice=True)
