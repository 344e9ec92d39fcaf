"""A job runs a copy of its script, from another folder."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.sbatch:
            continue
        for call in script.called("dirname", "realpath", "readlink"):
            if any("$0" in text or "BASH_SOURCE" in text or "${0" in text for text in call.texts):
                yield Found(
                    call.line,
                    "in a job `$0` is Slurm's copy below its spool folder, not the file that was submitted",
                    "use SLURM_SUBMIT_DIR, or write the path",
                )


RULE = Rule("MN741", Severity.ERROR, _check)
