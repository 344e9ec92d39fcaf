"""Slurm's host lists: ``gpu-[01-04,7],login1``."""

from __future__ import annotations

import re

_ITEM = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\])+")
_RANGES = re.compile(r"\[([^\[\]]*)\]")


def count_hosts(text: str) -> int | None:
    """Return how many hosts a list names, ``None`` if it is a file or unreadable (sbatch(1), ``--nodelist``)."""
    if "/" in text or not text.strip():
        return None
    total = 0
    for item in _ITEM.findall(text):
        hosts = 1
        for ranges in _RANGES.findall(item):
            sizes = [_size(part) for part in ranges.split(",")]
            if None in sizes:
                return None
            hosts *= sum(size for size in sizes if size is not None)
        total += hosts
    return total


def _size(part: str) -> int | None:
    first, dash, last = part.strip().partition("-")
    if not first.isdigit() or (dash and not last.isdigit()):
        return None
    return int(last) - int(first) + 1 if dash else 1
