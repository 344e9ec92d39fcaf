"""Which variables the names and prefixes of ``unset_env`` and its like stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def named_by(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Return what tells whether a name is one of these; a pattern that ends in ``*`` is the beginning of names.

    >>> taken = named_by(["PATH", "NCCL_*"])
    >>> taken("PATH"), taken("NCCL_DEBUG"), taken("PATHS")
    (True, True, False)
    """
    given = tuple(patterns)
    names = frozenset(pattern for pattern in given if not pattern.endswith("*"))
    prefixes = tuple(pattern[:-1] for pattern in given if pattern.endswith("*"))
    return lambda name: name in names or name.startswith(prefixes)
