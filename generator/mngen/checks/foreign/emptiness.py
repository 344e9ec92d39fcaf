"""Whether a file holds anything: comments, empty lines and the marks between YAML documents are nothing."""

from __future__ import annotations

_MARKS = frozenset({"---", "..."})


def has_nothing(text: str) -> bool:
    r"""Tell whether no line of a text says anything; directives of sbatch do.

    >>> has_nothing("#!/bin/bash\n\n# later\n"), has_nothing("#SBATCH -N2\n")
    (True, False)
    """
    lines = (line.strip() for line in text.split("\n"))
    return all(not line or line in _MARKS or (line[0] == "#" and line[:7] != "#SBATCH") for line in lines)
