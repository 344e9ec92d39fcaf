"""A variable of the task, or of a job that is only submitted, is expanded too early."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.batch_shell import batch_shell
from mngen.checks.foreign.calls import inline_script
from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.lines import lines_of
from mngen.diagnostics import Severity

_OF_THE_TASK = ("SLURM_PROCID", "SLURM_NODEID", "SLURM_LOCALID", "SLURMD_NODENAME", "HOSTNAME")
_OF_THE_JOB = re.compile(
    r"(?<!\\)\$\{?(SLURM_(?:JOB_?ID|JOB_NODELIST|NODELIST|JOB_NUM_NODES|NNODES|NTASKS|NTASKS_PER_NODE|TASKS_PER_NODE"
    r"|CPUS_PER_TASK|CPUS_ON_NODE|GPUS_ON_NODE|JOB_GPUS|NODEID|PROCID|LOCALID|ARRAY_TASK_ID|ARRAY_JOB_ID|RESTART_COUNT"
    r"|SUBMIT_DIR)|SLURMD_NODENAME)\b"
)
"""Set in a job only: https://slurm.schedmd.com/sbatch.html#SECTION_OUTPUT-ENVIRONMENT-VARIABLES."""


def _check(document: Document) -> Iterator[Found]:
    yield from _tasks(document)
    yield from batch_shell(document.scripts)
    if document.form is not Form.SBATCH:  # a job may hand its own on
        yield from _jobs(document)


def _jobs(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        early = _OF_THE_JOB.search(script.unexpanded)
        if early is not None:
            first = lines_of(*script.pieces[0]).numbers[0]
            yield Found(
                lines_of(script.unexpanded, first).at(early.start()),
                f"`${early[1]}` is expanded where the job is submitted, and is empty there",
                f"quote the end word of the here-document (<<'EOF'), or write \\${early[1]}",
            )


def _tasks(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.calls:
            word = inline_script(call)
            if word is None or not call.under("srun") or not word.raw.startswith('"'):
                continue
            early = [name for name in _OF_THE_TASK if _unescaped(word.raw, name)]
            if early:
                yield Found(
                    word.line,
                    f"`${early[0]}` is expanded on the batch host, so every task gets the same value",
                    "put the script in single quotes or in a here-document with a quoted end word",
                )


def _unescaped(raw: str, name: str) -> bool:
    return any(f"{mark}{name}" in raw.replace(f"\\{mark}", "") for mark in ("$", "${"))


RULE = Rule("MN724", Severity.ERROR, _check)
