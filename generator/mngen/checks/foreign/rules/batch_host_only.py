"""A container command outside srun runs on the first node only."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        nodes = (script.slurm.value("--nodes") or "1") if script.directives else "1"
        if nodes == "1":
            continue
        for call in script.containers("exec"):
            if not (
                call.under("srun", "ssh", "pdsh", "clush", "mpirun", "mpiexec") or call.hidden or call.command.origin
            ):
                yield Found(
                    call.line,
                    f"this runs on the batch host alone; the other of {nodes} nodes do not see what it prepares",
                    "run it by `srun --overlap --nodes=1 --ntasks=1 -w NODE`, on every node that needs the result",
                )


RULE = Rule("MN744", Severity.NOTE, _check)
