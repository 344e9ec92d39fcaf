"""A variable of the task is expanded too early inside double quotes."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.calls import inline_script
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_OF_THE_TASK = ("SLURM_PROCID", "SLURM_NODEID", "SLURM_LOCALID", "SLURMD_NODENAME", "HOSTNAME")


def _check(document: Document) -> Iterator[Found]:
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
