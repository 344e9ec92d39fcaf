"""Slurm's host lists: ``gpu-[01-04,7],login1``."""

from __future__ import annotations

import re

from mngen.manifest.whole_numbers import whole_number

_ITEM = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\])+")
_RANGES = re.compile(r"\[([^\[\]]*)\]")


MOST = 4096
"""Lists of more hosts are not written out."""


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


def host_names(text: str) -> frozenset[str]:
    """Return the hosts of a list by name; none of a file, of what is unreadable, or of more than :data:`MOST`.

    >>> sorted(host_names("gpu-[08-10],login1"))
    ['gpu-08', 'gpu-09', 'gpu-10', 'login1']
    """
    count = count_hosts(text)
    if count is None or count > MOST:
        return frozenset()
    found: set[str] = set()
    for item in _ITEM.findall(text):
        names = [""]
        for number, piece in enumerate(_RANGES.split(item)):
            # Every second piece stood in brackets.
            ends = [name for part in piece.split(",") for name in _names(part)] if number % 2 else [piece]
            names = [name + end for name in names for end in ends]
        found.update(name.strip() for name in names)
    return frozenset(found)


def _names(part: str) -> list[str]:
    first, dash, last = part.strip().partition("-")
    return [f"{number:0{len(first)}}" for number in range(int(first), int(last) + 1)] if dash else [first]


def _size(part: str) -> int | None:
    first, dash, last = part.strip().partition("-")
    low = whole_number(first)
    high = whole_number(last) if dash else low
    return None if low is None or high is None or high < low else high - low + 1
