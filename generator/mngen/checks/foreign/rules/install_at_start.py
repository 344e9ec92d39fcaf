"""Every node installs for itself, in the job's time."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if script.section.startswith("%"):
            continue
        for call in script.called("pip", "pip3", "uv"):
            if "install" in call.texts[:2] and (script.sbatch or script.section):
                yield Found(
                    call.line,
                    "every node installs for itself at each start, in the job's time, and not always the same versions",
                    "put it into the image, or pin what is installed with a constraints file",
                )


RULE = Rule("MN791", Severity.NOTE, _check)
