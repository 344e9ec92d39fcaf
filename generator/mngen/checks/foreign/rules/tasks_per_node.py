"""A bare srun starts every task that the job has."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.directives:
            continue
        value = script.slurm.value("--ntasks-per-node") or ""
        if not value.isdigit() or int(value) < 2:
            continue
        for call in script.called("srun"):
            if not any(call.options.has(name) for name in ("--ntasks", "--ntasks-per-node")):
                yield Found(
                    call.line,
                    f"this srun runs its command {value} times on each node: the job has {value} tasks a node",
                    "ask for one task a node (`--ntasks-per-node=1`) in the job and on every srun",
                )


RULE = Rule("MN735", Severity.ERROR, _check)
