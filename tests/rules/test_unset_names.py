"""Names and prefixes of ``unset_env`` mean one thing everywhere."""

from __future__ import annotations

from fnmatch import fnmatchcase
from itertools import chain, combinations

from mngen.manifest.judging.unset_names import named_by

PATTERNS = ("PATH", "NCCL_*", "NCCL_DEBUG", "*", "A*", "PATHS")
NAMES = ("PATH", "PATHS", "NCCL_", "NCCL_DEBUG", "NCCL", "A", "AB", "B", "")


def test_they_are_those_that_a_shell_would_match() -> None:
    for some in chain.from_iterable(combinations(PATTERNS, size) for size in range(4)):
        taken = named_by(some)
        assert [taken(name) for name in NAMES] == [any(fnmatchcase(n, p) for p in some) for n in NAMES], some
