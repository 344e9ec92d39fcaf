"""A container name that all jobs share belongs to the first of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_OF_ALL_JOBS = re.compile(
    r"\$\{?(?:USER|LOGNAME|HOSTNAME|HOME|SLURM_JOB_NAME|SLURMD_NODENAME|SLURM_NODEID)\b\}?|\$\(hostname[^)]*\)"
)
"""What a name may hold and still be the same in every job of a user on a node."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.containers("run"):
            name = script.resolve(call.options.value("--name") or "")
            # Another variable may hold the job's number: only what surely does not is a fault.
            if name and not call.options.has("--restart") and "$" not in _OF_ALL_JOBS.sub("", name):
                yield Found(
                    call.line,
                    f"the container is called `{name}` in every job: the second one on a node fails",
                    "put the job's number into the name",
                    None if script.of_a_cluster else Severity.NOTE,
                )
        for call in script.containers("rm"):
            if call.options.operands and not call.options.has("--force") and call.command.after == "||":
                yield Found(
                    call.line,
                    "without `--force` this cannot remove a running container, and its error is hidden",
                    "give every job's container its own name, and start it with `--rm`",
                )


RULE = Rule("MN777", Severity.WARNING, _check)
