"""Names of commits: what is cut short, and what git servers do not know."""

from __future__ import annotations

import re

_CUT_SHORT = re.compile(r"(?=.*[0-9])(?=.*[a-f])(?:[0-9a-f]{7,39}|[0-9a-f]{41,63})")
"""Digits and letters of a commit id, fewer than it has; of digits alone are dates, of letters alone words."""


def cut_short(field: str, ref: str) -> tuple[str, str] | None:
    """Return message and hint for a ref that looks like the beginning of a commit id; ``None`` for any other."""
    if not _CUT_SHORT.fullmatch(ref):
        return None
    message = f"{field} is {ref}, the beginning of a commit id by its looks: servers give out none"
    return message, f"write the whole id: `git rev-parse {ref}` in a clone"
