"""Where a job's output goes, as the shell that submits it can name the files.

The patterns are those of https://slurm.schedmd.com/sbatch.html, section "filename pattern".
"""

from __future__ import annotations

import posixpath

from mngen.launch.words import quote
from mngen.manifest.judging.log_patterns import LATER, OF_ARRAY, OF_JOB, OF_NAME, OF_NODE_OR_STEP, PATTERN
from mngen.manifest.judging.slurm_options import first_task, given
from mngen.manifest.model import Target
from mngen.plan import Raw

_LATE = OF_NODE_OR_STEP | OF_ARRAY | LATER
"""Known where the job runs."""
_MOST_DIGITS = 10


def placed(target: Target, pattern: str) -> str:
    """Return a file of the job as Slurm finds it: a relative path begins in the job's working directory (--output)."""
    return posixpath.join(given(target, "chdir"), pattern) if pattern else ""


def log_name(target: Target, pattern: str) -> Raw:
    """Return a file of the job for the here-document of submit.sh; nothing where only the running job knows a part."""
    return Raw((named(target, pattern, "${job}") or "").replace("\\", "\\\\"))


def folder_name(target: Target, folder: str) -> Raw | None:
    """Return a folder as a word of the shell that submits; ``None`` where Slurm alone makes it."""
    letters = {part[-1] for part in PATTERN.findall(folder)}
    late = letters & (_LATE | OF_JOB | OF_NAME)
    return None if late else Raw(named(target, folder, "") or "")


def named(target: Target, pattern: str, job: str) -> str | None:
    """Return a file of the job as a word of the shell, ``job`` its number; ``None`` where only it knows a part."""
    task = first_task(target)
    parts = [_filled(target, part, job, task) for part in PATTERN.split(pattern) if part]
    return None if None in parts else "".join(part for part in parts if part)


def _filled(target: Target, part: str, number: str, task: str) -> str | None:
    """Return a pattern as text of the shell, and other text as it is; ``None`` for what is not known yet."""
    if not PATTERN.fullmatch(part):
        return quote(part)
    width, letter = min(int(part[1:-1][-9:] or 0), _MOST_DIGITS), part[-1]
    if letter == "A" or (letter == "j" and not task):
        return f'$(printf %0{width}d "{number}")' if width else number
    if letter == "x":
        return quote(str(target.slurm.fields.get("job_name", target.workload)))
    if letter in "ja":  # a task's own number is not known yet
        return task.zfill(width) if task and letter == "a" else "*"
    if letter == "b" and task:
        return str(int(task[-1])).zfill(width)
    known = {"%": "%", "u": "$(id -un)"}
    return known.get(letter, None if letter in _LATE else quote(part))
