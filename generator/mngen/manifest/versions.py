"""Versions compared number by number, and ranges of them.

Release numbers are lists of whole numbers, never decimals: ROCm 7.14 is newer than 7.2, Ray 2.60 is
newer than 2.9, Slurm 26.05 newer than 25.11. Only the release part counts; ``rc1``, ``.post1``,
``+rocm7.14`` and ``-devel`` are dropped, because the facts that mngen keeps are about releases.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from msgspec import Struct

from mngen.manifest.whole_numbers import whole_number

_RELEASE = re.compile(r"\s*v?([0-9]+(?:\.[0-9]+)*)")
_BOUND = re.compile(r"\s*(>=|<=|==|!=|>|<)\s*v?([0-9]+(?:\.[0-9]+)*)\s*$")
_OPERATORS: dict[str, Callable[[Version, Version], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}


class Version(Struct, frozen=True, eq=False):
    """A release number. Trailing zeros carry no meaning: 2.52 equals 2.52.0."""

    numbers: tuple[int, ...]

    @property
    def key(self) -> tuple[int, ...]:
        """The numbers without trailing zeros, what comparison and hashing go by."""
        numbers = self.numbers
        while numbers and numbers[-1] == 0:
            numbers = numbers[:-1]
        return numbers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.key == other.key

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Version) -> bool:
        return self.key < other.key

    def __le__(self, other: Version) -> bool:
        return self.key <= other.key

    def __gt__(self, other: Version) -> bool:
        return self.key > other.key

    def __ge__(self, other: Version) -> bool:
        return self.key >= other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return ".".join(str(number) for number in self.numbers)


def parse_version(text: str) -> Version | None:
    """Return the release number that a text begins with, or ``None`` when it begins with none.

    >>> parse_version("v2.52.1rc1")
    Version(numbers=(2, 52, 1))
    >>> parse_version("nightly") is None
    True
    """
    match = _RELEASE.match(text)
    return _version(match[1]) if match else None


def _version(text: str) -> Version | None:
    """Return the version of numbers with dots between, ``None`` where one is too long to be any release's."""
    numbers = [whole_number(part) for part in text.split(".")]
    known = tuple(number for number in numbers if number is not None)
    return Version(known) if len(known) == len(numbers) else None


class Range(Struct, frozen=True):
    """Versions that satisfy all of some bounds; without bounds, every version."""

    bounds: tuple[tuple[str, Version], ...]

    def __contains__(self, version: Version) -> bool:
        return all(_OPERATORS[sign](version, limit) for sign, limit in self.bounds)

    def __str__(self) -> str:
        return ", ".join(f"{sign}{limit}" for sign, limit in self.bounds) or "every version"


def parse_range(text: str) -> Range:
    """Read ``>=20.11,<23.11``; an empty text or ``*`` is every version. Raises ``ValueError`` on anything else."""
    if text.strip() in {"", "*"}:
        return Range(())
    bounds = []
    for part in text.split(","):
        match = _BOUND.match(part)
        limit = _version(match[2]) if match else None
        if match is None or limit is None:
            raise ValueError(f"not a version bound: {part.strip()!r} (write for example >=2.52 or <3)")
        bounds.append((match[1], limit))
    return Range(tuple(bounds))
