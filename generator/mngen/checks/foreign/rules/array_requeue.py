"""A task of an array that is sent back to the queue by the number that is also the whole array's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_OWN = re.compile(r"""\bscontrol\s+requeue(?:hold)?\s+["']?\$\{?(SLURM_JOB_?ID)\b""")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.slurm.has("--array"):
            continue
        for call in script.called("scontrol", "trap"):
            own = _OWN.search(" ".join((call.program, *(word.text for word in call.words))))
            if own is not None:
                yield Found(
                    call.line,
                    f"one task's own number is the array's too, and by that `scontrol requeue ${own.group(1)}` sends "
                    "all tasks back to the queue, those that have ended as well",
                    "write ${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}",
                    at=own.group(1),
                )


RULE = Rule("MN920", Severity.WARNING, _check)
