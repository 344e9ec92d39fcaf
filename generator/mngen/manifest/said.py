"""The user's own words inside a message of one line."""

from __future__ import annotations

import json

_MOST = 60


def where(path: tuple[str | int, ...]) -> str:
    """Return a path as people write it: ``mounts[0].source``; the empty one is ``the manifest``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{word(step)}" for step in path)
    return text.removeprefix(".") or "the manifest"


def word(text: str) -> str:
    """Return text so that it fits into a line: long text cut, control characters as escapes."""
    short = text[:_MOST]
    if not short.isprintable():
        return json.dumps(short)
    return short if short == text else f"{short}…"
