"""The patterns in names of Slurm's log files: https://slurm.schedmd.com/sbatch.html, section "FILENAME PATTERN".

``%`` before any other letter stays as it is (``expand_stdio_fields`` in Slurm's src/common/print_fields.c).
"""

from __future__ import annotations

import re

PATTERN = re.compile(r"(%[0-9]*[A-Za-z%])")
OF_NODE_OR_STEP = frozenset("NnstJ")
"""Letters for what differs within a job: its node, its step, its task."""
OF_ARRAY = frozenset("ab")
OF_JOB = frozenset("Aj")
LATER = frozenset("rS")
"""Letters since Slurm 25.11: how often the job was put back, and its SLUID (CHANGELOG/slurm-25.11.md)."""
OF_NAME = frozenset("x")


def unmade_pattern(path: str, version: str | None) -> str | None:
    """Return the first pattern of a folder that is not there before the job, or ``None``; a user's own folder is."""
    letters = OF_NODE_OR_STEP | OF_ARRAY | OF_JOB | OF_NAME | (LATER if version is None else frozenset())
    return next((part for part in PATTERN.findall(path) if part[-1] in letters), None)


def pattern_in(path: str) -> str | None:
    """Return the first pattern in a path, or ``None``; a percent sign that is written twice is none."""
    letters = OF_NODE_OR_STEP | OF_ARRAY | OF_JOB | OF_NAME | LATER | {"u"}
    return next((part for part in PATTERN.findall(path) if part[-1] in letters), None)
