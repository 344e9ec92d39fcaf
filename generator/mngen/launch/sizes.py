"""Sizes as the manifest writes them, in the units that programs want."""

from __future__ import annotations

import re

_UNITS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)


def to_bytes(size: str) -> int:
    """Return bytes for ``64G``, ``64GB`` or ``64GiB``: units are powers of 1024, as in Slurm and Docker.

    Raises ValueError for anything else.
    """
    match = _SIZE.fullmatch(size.strip())
    if match is None:
        msg = f"not a size: {size!r}"
        raise ValueError(msg)
    return int(float(match[1]) * 1024 ** _UNITS[match[2].upper()])


def to_kib(size: str) -> int:
    """Return KiB, the unit of ``df -k``."""
    return to_bytes(size) // 1024


def short(size: str) -> str:
    """Return the one-letter form that Slurm and Docker take: ``64GB`` gives ``64G``."""
    match = _SIZE.fullmatch(size.strip())
    if match is None:
        msg = f"not a size: {size!r}"
        raise ValueError(msg)
    return match[1] + match[2].upper()


def times(size: str, count: int) -> str:
    """Return a whole size so many times over: 8 of ``180GB`` are ``1440G``."""
    one = short(size)
    return f"{int(one[:-1]) * count}{one[-1]}"
