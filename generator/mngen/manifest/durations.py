"""Lengths of time as people write them, in Slurm's spelling."""

from __future__ import annotations

import re

from mngen.manifest.whole_numbers import whole_number

_WRITTEN = re.compile(
    r"(?:([0-9]+) ?d(?:ays?)?)? ?(?:([0-9]+) ?h(?:(?:ou)?rs?)?)? ?(?:([0-9]+) ?m(?:in(?:ute)?s?)?)?", re.IGNORECASE
)


def for_slurm(text: str) -> str | None:
    """Return what ``24h``, ``1d`` or ``1h30m`` is for sbatch, or ``None`` for other text.

    The forms are sbatch(1)'s for ``--time``: https://slurm.schedmd.com/sbatch.html#OPT_time

    >>> for_slurm("24h"), for_slurm("1d"), for_slurm("1h30m"), for_slurm("soon")
    ('24:00:00', '1-00:00:00', '1:30:00', None)
    """
    found = _WRITTEN.fullmatch(text.strip())
    if found is None or not any(found.groups()):
        return None
    days, hours, minutes = (whole_number(part) for part in found.groups(default="0"))
    if days is None or hours is None or minutes is None:
        return None
    if minutes > 59 or (found[1] and hours > 23):
        return None if found[1] or found[2] else found[3]
    if found[1]:
        return f"{days}-{hours:02}:{minutes:02}:00"
    return f"{hours}:{minutes:02}:00"
