"""A container name that all jobs share belongs to the first of them."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_OWN = ("SLURM_JOB_ID", "SLURM_JOBID", "$$", "SKYPILOT_TASK_ID", "DSTACK_RUN", "RANDOM", "uuid", "JOB_ID", "PBS_JOBID")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.containers("run"):
            name = script.resolve(call.options.value("--name") or "")
            if name and not any(own in name for own in _OWN):
                yield Found(
                    call.line,
                    f"the container is called `{name}` in every job of every user: the second one on a node fails",
                    "put the job's number into the name",
                )
        for call in script.containers("rm"):
            if call.options.operands and not call.options.has("--force") and call.command.after == "||":
                yield Found(
                    call.line,
                    "without `--force` this cannot remove a running container, and its error is hidden",
                    "give every job's container its own name, and start it with `--rm`",
                )


RULE = Rule("MN777", Severity.WARNING, _check)
