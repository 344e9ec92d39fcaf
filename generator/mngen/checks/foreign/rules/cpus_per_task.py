"""SLURM_CPUS_PER_TASK is set only when the job asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import variables
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        asked = bool(script.directives) and script.slurm.has("--cpus-per-task")
        if asked or not script.sbatch:
            continue
        for command in script.commands:
            for word in command.words:
                if "SLURM_CPUS_PER_TASK" in variables(word.text) and ":-" not in word.text and "\n" not in word.text:
                    yield Found(
                        word.line,
                        "SLURM_CPUS_PER_TASK is unset unless the job has `--cpus-per-task`, so the program gets "
                        "nothing",
                        "ask for `--cpus-per-task`, or count the step's own cores with `nproc`",
                    )


RULE = Rule("MN740", Severity.WARNING, _check)
