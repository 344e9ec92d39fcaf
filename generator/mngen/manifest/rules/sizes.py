"""Sizes in bytes, as Slurm, Docker and SkyPilot write them."""

from __future__ import annotations

import re

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\+?", re.IGNORECASE)
_POWERS = {"K": 1, "M": 2, "G": 3, "T": 4}


def size_bytes(text: str) -> int | None:
    """Return a size in bytes, ``None`` if it is none; a number without a unit is megabytes (sbatch(1), ``--mem``)."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    return int(float(match[1]) * 1024 ** _POWERS[(match[2] or "M").upper()])
