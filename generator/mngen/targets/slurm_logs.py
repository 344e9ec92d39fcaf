"""Where a job's output goes, as the shell that submits it can name the files.

The patterns are those of https://slurm.schedmd.com/sbatch.html, section "filename pattern".
"""

from __future__ import annotations

import posixpath
import re

from mngen.launch.words import quote
from mngen.manifest.judging.slurm_options import first_task, given
from mngen.manifest.model import Target
from mngen.plan import Raw

_PATTERN = re.compile(r"(%[0-9]*[A-Za-z%])")
_LATE = frozenset("NnstJab")
"""Known where the job runs: its node, its step, its task."""
_MOST_DIGITS = 10


def placed(target: Target, pattern: str) -> str:
    """Return a file of the job as Slurm finds it: a relative path begins in the job's working directory (--output)."""
    return posixpath.join(given(target, "chdir"), pattern) if pattern else ""


def log_name(target: Target, pattern: str) -> Raw:
    """Return a file of the job as submit.sh can name it; nothing where only the running job knows a part of it."""
    parts = [_filled(target, part) for part in _PATTERN.split(pattern) if part]
    if None in parts:
        return Raw("")
    return Raw("".join(part for part in parts if part).replace("\\", "\\\\"))


def _filled(target: Target, part: str) -> str | None:
    """Return a pattern as text of the shell, and other text as it is; ``None`` for what is not known yet."""
    if not _PATTERN.fullmatch(part):
        return quote(part)
    width, letter, task = min(int(part[1:-1][-9:] or 0), _MOST_DIGITS), part[-1], first_task(target)
    job = f'$(printf %0{width}d "${{job}}")' if width else "${job}"
    known = {
        "%": "%",
        "x": quote(str(target.slurm.fields.get("job_name", target.workload))),
        "u": "$(id -un)",
        "A": job,
        "j": "*" if task else job,  # a task's own number is not known yet
        "a": task.zfill(width) if task else "*",
    }
    if task:
        known["b"] = str(int(task[-1])).zfill(width)
    return known.get(letter, None if letter in _LATE else quote(part))
