"""Moments, as sbatch reads them: ``now+1hour``, ``16:00``, ``2030-01-20T12:34:00``."""

from __future__ import annotations

import re

_GAP = re.compile(r"[ \t\-T]+")
# https://github.com/SchedMD/slurm/blob/master/src/common/parse_time.c, parse_time: parts in any order, each greedy.
# A T counts as a gap before it is looked at as the beginning of a word, so Tomorrow is no moment.
_PART = re.compile(
    r"(?:today|tomorrow|midnight|noon|elevenses|fika|teatime"
    r"|now\s*(?:[+-]\s*\d[\d\s]*(?:(?:second|minute|hour|day|week)s?)?)?"
    r"|(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?\s*(?:[ap]m)?"
    r"|\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|3[01]|0?[1-9])"
    r"|(?:0[1-9]|1[0-2]|[1-9](?!\d))[./]?(?:0[1-9]|[12]\d|3[01]|[1-9](?!\d))(?:[./]?\d\d)?(?!\d))",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"uts\d{7,}", re.IGNORECASE)  # since 1970


def is_moment(text: str) -> bool:
    """Tell whether sbatch reads this as a moment (sbatch(1), ``--begin``).

    >>> is_moment("now+1hour"), is_moment("now+1h"), is_moment("2030-01-20T12:34")
    (True, False, True)
    """
    if _SECONDS.fullmatch(text):
        return True
    place, parts = 0, 0
    while place < len(text):
        found = _GAP.match(text, place) or _PART.match(text, place)
        if found is None:
            return False
        parts += found.re is _PART
        place = found.end()
    return parts > 0
