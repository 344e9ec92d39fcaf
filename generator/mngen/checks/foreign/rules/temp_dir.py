"""Ray's folder in /tmp is shared by all jobs of a node."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.shared_folders import shared_on_clusters
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        shared = script.sbatch and not script.exclusive
        for call in script.called("ray start"):
            temp = script.resolve(call.options.value("--temp-dir") or "")
            if shared_on_clusters(temp):
                yield Found(
                    call.line,
                    f"--temp-dir {temp}: sockets do not work on a shared file system, and the nodes see each other's",
                    "use a folder of the node's own disk, of at most 43 bytes: /tmp/r-$SLURM_JOB_ID",
                )
            elif shared and call.lacks("--temp-dir") and call.options.has("--head"):
                yield Found(
                    call.line,
                    "without `--temp-dir` Ray uses /tmp/ray, which belongs to the first user of the node",
                    "give each job its own: `--temp-dir=/tmp/r-$SLURM_JOB_ID`, at most 43 bytes, mode 700",
                    Severity.NOTE,
                )


RULE = Rule("MN760", Severity.WARNING, _check)
