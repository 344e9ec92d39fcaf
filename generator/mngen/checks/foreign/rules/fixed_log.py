"""A log of one fixed name is overwritten by every job."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.sbatch:
            continue
        for call in script.called("tee"):
            files = [text for text in call.texts if not text.startswith("-") and "=" not in text]
            if files and "$" not in script.resolve(files[0]) and not files[0].startswith("/dev/"):
                appends = any(text in {"-a", "--append"} for text in call.texts)
                what = "their lines mix" if appends else "they overwrite each other"
                yield Found(
                    call.line,
                    f"`{files[0]}` is the same for every job and every attempt, so {what}",
                    "put the job's number into the name: `train-$SLURM_JOB_ID.log`, and SLURM_RESTART_COUNT with "
                    "requeue",
                )


RULE = Rule("MN742", Severity.WARNING, _check)
