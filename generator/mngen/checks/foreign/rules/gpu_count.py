"""Ray counts the GPUs of the machine, not those of the job."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("ray start"):
        if call.lacks("--num-gpus"):
            yield Found(
                call.line,
                "without `--num-gpus` Ray counts the devices that it can see, which need not be those of this job",
                "pass the number that the launcher gives: SKYPILOT_NUM_GPUS_PER_NODE, DSTACK_GPUS_PER_NODE, "
                "SLURM_GPUS_ON_NODE",
            )


RULE = Rule("MN746", Severity.NOTE, _check)
