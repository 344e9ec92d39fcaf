"""Sizes in bytes, as Slurm, Docker and SkyPilot write them."""

from __future__ import annotations

import re

from mngen.manifest.whole_numbers import whole_number

_SIZE = re.compile(r"([0-9]+)(?:\.([0-9]+))?\s*([KMGT]?)(?:i?B)?\+?", re.IGNORECASE)
_POWERS = {"K": 1, "M": 2, "G": 3, "T": 4}


def size_bytes(text: str) -> int | None:
    """Return a size in bytes, ``None`` if it is none; a number without a unit is megabytes (sbatch(1), ``--mem``)."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    # In whole numbers, for those that no float holds.
    digits, places = whole_number(match[1] + (match[2] or "")), len(match[2] or "")
    return None if digits is None else digits * 1024 ** _POWERS[(match[3] or "M").upper()] // 10**places
