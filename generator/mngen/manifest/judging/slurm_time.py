"""Slurm's time limits."""

from __future__ import annotations

import re

from mngen.manifest.whole_numbers import whole_number

_FORMS = (
    re.compile(r"(?P<m>[0-9]+)"),
    re.compile(r"(?P<m>[0-9]+):(?P<s>[0-9]+)"),
    re.compile(r"(?P<h>[0-9]+):(?P<m>[0-9]+):(?P<s>[0-9]+)"),
    re.compile(r"(?P<d>[0-9]+)-(?P<h>[0-9]+)(?::(?P<m>[0-9]+)(?::(?P<s>[0-9]+))?)?"),
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
            parts = {unit: whole_number(value) for unit, value in match.groupdict(default="0").items()}
            known = {unit: value for unit, value in parts.items() if value is not None}
            return sum(_SECONDS[unit] * value for unit, value in known.items()) if known == parts else None
    return None
