"""Slurm's time limits."""

from __future__ import annotations

import re

_FORMS = (
    re.compile(r"(?P<m>\d+)"),
    re.compile(r"(?P<m>\d+):(?P<s>\d+)"),
    re.compile(r"(?P<h>\d+):(?P<m>\d+):(?P<s>\d+)"),
    re.compile(r"(?P<d>\d+)-(?P<h>\d+)(?::(?P<m>\d+)(?::(?P<s>\d+))?)?"),
)
_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
UNLIMITED = frozenset({"UNLIMITED", "INFINITE", "-1", "0"})


def seconds(text: str) -> int | None:
    """Return a time limit in seconds, or ``None`` for unlimited or what is no time.

    The forms are sbatch(1)'s for ``--time``: ``m``, ``m:s``, ``h:m:s``, ``d-h``, ``d-h:m``, ``d-h:m:s``.
    """
    for form in _FORMS:
        match = form.fullmatch(text.strip())
        if match:
            return sum(_SECONDS[unit] * int(value) for unit, value in match.groupdict(default="0").items())
    return None
