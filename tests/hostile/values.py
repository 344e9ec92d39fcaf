"""The values that the hostile tests send: the known ones, and more that hypothesis makes."""

from __future__ import annotations

import functools

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from known import BREAKS, CURATED, DELIMITERS, NOT_TEXT, PATTERNS, SENTINEL

__all__ = ["BREAKS", "CURATED", "DELIMITERS", "NOT_TEXT", "PATTERNS", "SENTINEL", "made", "pool"]

EXAMPLES = 500
_PIECES = st.sampled_from([piece for piece in CURATED if piece and piece not in NOT_TEXT])
_ANY = st.text(max_size=20) | st.lists(_PIECES, min_size=2, max_size=5).map("".join)


@functools.cache
def made() -> tuple[str, ...]:
    """What hypothesis makes; the profile has no chance in it, so it is the same on every machine."""
    found: dict[str, None] = {}

    @settings(
        derandomize=True,
        database=None,
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(_ANY)
    def collect(value: str) -> None:
        found[value] = None

    collect()
    return tuple(found)


@functools.cache
def pool() -> tuple[str, ...]:
    """All values, each once: the known ones, the made ones, and made ones with known ones before and after."""
    known = [value for value in CURATED if value not in NOT_TEXT]
    values = dict.fromkeys((*CURATED, *made()))
    for number, value in enumerate(made()):
        before, after = known[number % len(known)], known[(7 * number + 3) % len(known)]
        values.update(dict.fromkeys((before + value, value + after, before + value + after)))
    return tuple(values)
