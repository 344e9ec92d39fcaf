"""What a credential looks like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_SHAPES = (
    ("a Hugging Face token", ("hf_",), r"\bhf_[A-Za-z0-9]{20,}"),
    (
        "a GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})",
    ),
    ("a GitLab token", ("glpat-",), r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("an AWS access key", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("an API key", ("sk-",), r"\bsk-(?=[A-Za-z0-9_-]{0,200}[0-9])[A-Za-z0-9_-]{20,}"),
    ("a Weights & Biases key", ("wandb_v1_",), r"\bwandb_v1_[A-Za-z0-9_-]{20,}"),
    ("a Slack token", ("xox",), r"\bxox[abpr]-[A-Za-z0-9-]{10,}"),
    ("an NVIDIA API key", ("nvapi-",), r"\bnvapi-[A-Za-z0-9_-]{20,}"),
    ("a Google API key", ("AIza",), r"\bAIza[A-Za-z0-9_-]{35}\b"),
    ("a JSON web token", (".eyJ",), r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\."),
    ("a private key", ("PRIVATE KEY-----",), r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"),
    ("a password in a URL", ("@",), r"\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@$]+:[^\s/:@$]+@"),
)
"""What is found, texts of which it holds at least one, and its pattern. Most texts hold none of them."""
_REST = re.compile(r"[A-Za-z0-9_.-]*")
_HEX_KEY = re.compile(r"(?<![0-9a-fA-F])[0-9a-f]{40}(?![0-9a-fA-F])")  # a W&B key; a git commit looks the same
_PASSWORD = re.compile(r"(?:^|_)[a-z]{0,5}(?:password|passwd|passphrase)$|_pwd$")
_SECRET_NAME = re.compile(r"(?:^|_)(?:token|api_?key|secret|secret_key|access_key)$|" + _PASSWORD.pattern)
_LEAST_PASSWORD = 8
_BASE64_KEY = r"(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+][A-Za-z0-9+/]{39}"  # as AWS's secret keys are
_OF_MODELS = (
    r"(?:^|_)(?:[be]o[sdmt]|pad|mask|sep|unk|cls|special|stop|start|(?<!back_)(?<!front_)end|newline|think|image|img|vision|video|audio|"
    r"num|per|(?:max|min)(?:_\w+)?)_token$"
)
"""Tokens of a text or a tokenizer: ``EOS_TOKEN``, ``MAX_NEW_TOKEN``, ``COST_PER_TOKEN``."""
_GAP = r"<[A-Za-z][\w -]*>|YOUR_[A-Z][A-Z0-9_]*|[A-Z][A-Z0-9_]*_HERE"
_PLACEHOLDERS = frozenset(
    {"", "empty", "none", "null", "dummy", "token", "changeme", "not-needed", "false", "true"}
    | {"disabled", "required", "offline"}
    | {"password", "passwd", "passphrase", "change-me", "change_me", "placeholder", "prompt"}
)


@lru_cache(maxsize=256)  # every target has the texts of all
def token_in(text: str) -> str | None:
    """Say what a text seems to hold (``a GitHub token``), or ``None``.

    Forty hexadecimal digits count only near the word wandb, because commits have the same form.
    """
    for title, shape in _possible(text):
        if shape.search(text):
            return title
    if "wandb" in text.lower() and _HEX_KEY.search(text):
        return "a Weights & Biases key"
    return None


def token_extents(text: str) -> Iterator[tuple[int, int]]:
    """Yield where credentials stand in a text, as half-open ranges; of a URL, its user and password alone."""
    for _, shape in _possible(text):
        for found in shape.finditer(text):
            if found.group().endswith("@"):
                yield found.start() + found.group().index("//") + 2, found.end() - 1
            elif not found.group().endswith("-----"):
                rest = _REST.match(text, found.end())
                yield found.start(), rest.end() if rest else found.end()


def _possible(text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the patterns that a text may match, each with what it finds."""
    for title, marks, pattern in _SHAPES:
        if any(mark in text for mark in marks):
            yield title, re.compile(pattern)


def named_like_secret(name: str) -> bool:
    """Tell whether a variable's name says that its value is secret."""
    return _SECRET_NAME.search(name.casefold()) is not None and not named_like_model_token(name)


def named_like_model_token(name: str) -> bool:
    """Tell whether a name is that of a token which a model reads, or of a number of them."""
    return re.search(_OF_MODELS, name.casefold()) is not None


def is_stand_in(value: str) -> bool:
    """Tell whether a value only stands where a secret could, such as ``EMPTY``."""
    return value.strip().lower() in _PLACEHOLDERS


def is_gap(value: str) -> bool:
    """Tell whether a value is one that a reader has to fill in: ``<your-token>``, ``YOUR_TOKEN``, ``TOKEN_HERE``."""
    return re.fullmatch(_GAP, value) is not None


def looks_secret(name: str, value: str) -> bool:
    """Tell whether a variable named like a secret has a value that is one; people's passwords are shorter."""
    if not named_like_secret(name) or is_stand_in(value) or is_gap(value):
        return False
    if _PASSWORD.search(name.casefold()) is None:
        return looks_random(value) or re.fullmatch(_BASE64_KEY, value) is not None
    is_path = value.startswith(("/", "~", "./", "../")) or "://" in value
    return (
        len(value) >= _LEAST_PASSWORD
        and len(set(value)) > 1
        and not is_path
        and not any(c.isspace() or c == "$" for c in value)
    )


def looks_random(value: str) -> bool:
    """Tell whether a value of a variable named like a secret is more than a stand-in such as ``EMPTY``."""
    if is_stand_in(value):
        return False
    has_digit = any(char.isdigit() for char in value)
    return len(value) >= 16 and has_digit and not any(char.isspace() or char in "/$" for char in value)
