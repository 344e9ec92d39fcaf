"""Lengths of time as people write them, in Slurm's spelling."""

from __future__ import annotations

import re

_WRITTEN = re.compile(
    r"(?:(\d+) ?d(?:ays?)?)? ?(?:(\d+) ?h(?:(?:ou)?rs?)?)? ?(?:(\d+) ?m(?:in(?:ute)?s?)?)?", re.IGNORECASE
)


def for_slurm(text: str) -> str | None:
    """Return what ``24h``, ``1d`` or ``1h30m`` is for sbatch, or ``None`` for other text.

    The forms are sbatch(1)'s for ``--time``: https://slurm.schedmd.com/sbatch.html#OPT_time

    >>> for_slurm("24h"), for_slurm("1d"), for_slurm("1h30m"), for_slurm("soon")
    ('24:00:00', '1-00:00:00', '1:30:00', None)
    """
    found = _WRITTEN.fullmatch(text.strip())
    days, hours, minutes = found.groups() if found else (None, None, None)
    if days is None and hours is None and minutes is None:
        return None
    if int(minutes or 0) > 59 or (days and int(hours or 0) > 23):
        return None if days or hours else minutes
    if days:
        return f"{int(days)}-{int(hours or 0):02}:{int(minutes or 0):02}:00"
    return f"{int(hours or 0)}:{int(minutes or 0):02}:00"
