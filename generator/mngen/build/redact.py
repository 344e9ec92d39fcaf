"""Taking credentials out of what builders and registries say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

HIDDEN = "***"
_SHORTEST = 6
"""Shorter secrets are left: they would take ordinary words out of a log."""

_PATTERNS = (
    # scheme://user:password@host, and a token alone in front of the @
    (re.compile(r"(?P<keep>\b[a-z][a-z0-9+.-]*://)[^\s/@'\"]+@"), rf"\g<keep>{HIDDEN}@"),
    (
        re.compile(r"(?P<keep>\b(?:authorization|x-registry-auth)\b['\"]?\s*[:=]\s*['\"]?)[^\r\n'\"]+", re.IGNORECASE),
        rf"\g<keep>{HIDDEN}",
    ),
    (
        re.compile(r"(?P<keep>[?&](?:token|access_token|sig|signature|x-amz-[a-z-]+)=)[^&\s'\"]+", re.IGNORECASE),
        rf"\g<keep>{HIDDEN}",
    ),
)

Redact = Callable[[str], str]


def redactor(secrets: Iterable[str]) -> Redact:
    """Return a function that hides known secrets, and whatever looks like a credential."""
    known = sorted({secret for secret in secrets if len(secret) >= _SHORTEST}, key=len, reverse=True)
    exact = re.compile("|".join(map(re.escape, known))) if known else None

    def redact(text: str) -> str:
        if exact is not None:
            text = exact.sub(HIDDEN, text)
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        return text

    return redact
