"""srun does not take the CPUs per task from the job in every release."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.directives or not script.slurm.has("--cpus-per-task") or script.exported("SRUN_CPUS_PER_TASK"):
            continue
        for call in script.called("srun"):
            if call.lacks("--cpus-per-task") and "ray start" in {c.program for c in _inside(script, call)}:
                yield Found(
                    call.line,
                    "without `--cpus-per-task` this step may get one core: srun of Slurm 22.05 and 23.02 does not read "
                    "the job's value",
                    'repeat it on every srun, `--cpus-per-task="$SLURM_CPUS_PER_TASK"`, or export SRUN_CPUS_PER_TASK',
                )


def _inside(script: Script, outer: Call) -> Iterator[Call]:
    return (call for call in script.calls if call.command is outer.command)


RULE = Rule("MN737", Severity.WARNING, _check)
