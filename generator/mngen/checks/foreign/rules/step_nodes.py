"""A step of one task on a named node needs one node."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("srun"):
        nodes = call.options.value("--nodes") or "1"
        one_task = call.options.value("--ntasks") == "1"
        if one_task and call.options.has("--nodelist") and nodes != "1":
            yield Found(
                call.line,
                f"this step asks for {nodes} nodes, for one task on one named node; Slurm warns and shrinks it",
                "write `--nodes=1 --ntasks=1`",
            )


RULE = Rule("MN738", Severity.WARNING, _check)
