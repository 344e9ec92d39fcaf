"""A job runs a copy of its script, from another folder."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_FOLDER = re.compile(r"SLURM_SUBMIT_DIR|\bscontrol\s+show\s+job\b")
"""What tells a job where its script came from; ``$0`` is then for runs outside of one."""
_FALLBACK = re.compile(r"SLURM_SUBMIT_DIR:?-")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.sbatch:
            continue
        asks = _FOLDER.search(script.text) is not None
        for call in script.called("dirname", "realpath", "readlink"):
            if asks and (call.command.branches or _FALLBACK.search(document.lines[call.line - 1])):
                continue
            if any("$0" in text or "BASH_SOURCE" in text or "${0" in text for text in call.texts):
                yield Found(
                    call.line,
                    "in a job `$0` is Slurm's copy below its spool folder, not the file that was submitted",
                    "use SLURM_SUBMIT_DIR, or write the path",
                )


RULE = Rule("MN741", Severity.ERROR, _check)
