"""SLURM_GPUS_PER_NODE is what was typed, not a number."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import variables
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        numeric = script.sbatch and (script.slurm.value("--gpus-per-node") or "").isdigit()
        for command in script.commands:
            for word in (*command.words, *(assign.value for assign in command.assigns)):
                if "SLURM_GPUS_PER_NODE" in variables(word.text) and not word.inner and "\n" not in word.text:
                    yield Found(
                        word.line,
                        "SLURM_GPUS_PER_NODE repeats the request: `a100:8` with a type, and nothing at all with --gres",
                        "use SLURM_GPUS_ON_NODE: a plain number in every case",
                        Severity.NOTE if numeric else None,
                    )


RULE = Rule("MN739", Severity.WARNING, _check)
