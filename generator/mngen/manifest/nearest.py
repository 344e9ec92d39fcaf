"""What the author of a misspelt word probably meant."""

from __future__ import annotations

from collections.abc import Iterable

MOST_LISTED = 9
"""Up to so many choices are listed in full; more would bury the message."""


def nearest(word: str, choices: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the choice most like a word, or ``None`` when none is alike; ``likeness`` is difflib's, at most 1."""
    from difflib import get_close_matches  # noqa: PLC0415 - few manifests have a misspelt word

    known = list(choices)
    close = get_close_matches(word, known, n=1, cutoff=likeness)
    if close:
        return close[0]
    folded = {choice.lower().replace("-", "_"): choice for choice in known}
    return folded.get(word.lower().replace("-", "_"))


def hint(word: str, choices: Iterable[str], otherwise: str | None = None) -> str | None:
    """Return a hint: the nearest choice, else the choices when they are few, else ``otherwise``."""
    known = list(choices)
    # Among many there is one somewhat alike for any word: `cluster` and `mail_user`, `script` and `secrets`.
    close = nearest(word, known, 0.6 if len(known) <= MOST_LISTED else 0.65)
    if close is not None:
        return f"did you mean `{close}`?"
    if known and len(known) <= MOST_LISTED:
        return f"expected {one_of(known)}"
    return otherwise


def one_of(choices: Iterable[str]) -> str:
    """Return choices as words: ``one of `a`, `b` and `c```."""
    quoted = [f"`{choice}`" for choice in choices]
    if len(quoted) == 1:
        return quoted[0]
    return f"one of {', '.join(quoted[:-1])} and {quoted[-1]}"
