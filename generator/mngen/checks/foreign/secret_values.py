"""Tells whether a value that somebody typed into a file is a secret itself, by its form or by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.manifest.token_shapes import is_stand_in, named_like_model_token, token_extents

_NAME = re.compile(
    r"(?:api_?key|access_?key|private_?key|ssh_?key|deploy_?key|token|secret|passw(?:or)?d|passphrase|credentials?|_pat)$",
    re.IGNORECASE,
)
_HEX = re.compile(r"^[0-9a-f]{40}$")
"""A key of W&B, or a commit: the name tells which."""
_EXAMPLE = re.compile(
    r"x{3,}|your|example|dummy|placeholder|change_?me|replace|\.\.\.|todo|fill[_-]?in|[_-]here$", re.IGNORECASE
)
_FEWEST = 2
_FILE_NAME = re.compile(r"\.(?:json|txt|pem|ya?ml)$")


def named_like_secret(name: str) -> bool:
    """Tell whether a name in a script or an image file says that its value is secret; any ending counts."""
    return _NAME.search(name) is not None and not named_like_model_token(name)


def may_be_secret(value: str) -> bool:
    """Tell whether a value may be the secret itself: an ARG's may come later, a path or a word for `none` is none."""
    return not value or not (value.startswith("/") or is_stand_in(value))


def is_literal(name: str, value: str) -> bool:
    """Tell whether a setting holds a secret itself: by the value's form, or by the name and a value that may be one."""
    if _EXAMPLE.search(value) or _is_filled(value) or "header" in name.lower():
        return False
    if any(tokens_in(value)):
        return True
    plain = len(value) >= 8 and not any(mark in value for mark in "$<>/ ") and not is_stand_in(value)
    plain = plain and not _FILE_NAME.search(value)
    return plain and (named_like_secret(name) or (is_hex_key(value) and "wandb" in name.lower()))


def is_hex_key(value: str) -> bool:
    """Tell whether a value has the form of an older key of Weights & Biases, which is that of a commit too."""
    return _HEX.match(value) is not None


def tokens_in(text: str) -> Iterator[str]:
    """Yield the well-known tokens in a text; not the user and password of a URL, nor what examples have."""
    for start, end in token_extents(text):
        token = text[start:end]
        if ":" not in token and not _EXAMPLE.search(token) and not _is_filled(token):
            yield token


def _is_filled(value: str) -> bool:
    """Tell whether a value is one or two characters over and over, behind a prefix such as ``hf_``."""
    return len(set(re.split(r"[_-]", value)[-1])) <= _FEWEST
