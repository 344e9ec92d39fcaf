"""Options and keys that are named like secrets, in places where names are not those of variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mngen.manifest.judging.placed_texts import argument_lists
from mngen.manifest.model import Target
from mngen.manifest.text import spelled

_OPTION = re.compile(r"(?:--?|\+\+?)?([A-Za-z][\w.-]*?)(?:=(.*))?", re.DOTALL)
_OF_MODELS = re.compile(
    r"_token$(?<!auth_token)(?<!access_token)(?<!api_token)(?<!hf_token)(?<!hub_token)(?<!bearer_token)"
)
"""Options of programs here are mostly about tokens of a text, so only some names are those of a credential."""
_AT_TOP = frozenset({"env", "envs", "secrets"})
"""Blocks of ``raw`` that hold variables."""


def secret_options(target: Target) -> Iterator[tuple[str, str, str]]:
    """Yield what follows each option of a command: the field of the value, the option, and the value."""
    words = [(field, spelled(text)) for field, text in argument_lists(target)]
    for (field, word), (after, value) in zip(words, [*words[1:], ("", "")], strict=True):
        found = _OPTION.fullmatch(word)
        if found is None or (found[2] is None and not word.startswith("-")):
            continue
        if found[2] is not None:
            yield field, found[1], found[2]
        elif not value.startswith("-"):
            yield after, found[1], value


def secret_keys(target: Target) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of ``raw`` with their keys, wherever they stand; its variables are looked at as such."""
    for block, value in target.raw.items():
        if block not in _AT_TOP:
            yield from _keys(f"raw.{block}", str(block), value)


def _keys(field: str, key: str, value: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _keys(f"{field}.{name}", str(name), item)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _keys(f"{field}.{index}", key, item)
    elif isinstance(value, str):
        yield field, key, value


def variable_name(option: str) -> str:
    """Return the variable that an option's name would be: ``API_KEY`` of ``--model.api-key``; nothing of a model's."""
    name = option.rpartition(".")[2].replace("-", "_")
    return "" if _OF_MODELS.search(name.casefold()) else name
