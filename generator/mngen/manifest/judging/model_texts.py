"""Every text in a part of the model, with its field by the manifest's names."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct

from mngen.manifest.model import Script, Service
from mngen.manifest.text import Text, spelled

_UNREAD = frozenset({"env", "env_vars", "span", "spans"})
"""Parts that are no text of the user's, or looked at by the variable's name."""
_RENAMED = {"script": "run", "submit_from": "from"}
_NUMBERS = frozenset({bool, int, float})


def texts_in(field: str, value: Any) -> list[tuple[str, str]]:
    """Return the texts of a part of the model, each with its dotted path; ``env`` of services is not among them."""
    found: list[tuple[str, str]] = []
    if value:
        _collect(field, value, found)
    return found


def _collect(field: str, value: Any, found: list[tuple[str, str]]) -> None:
    if isinstance(value, (str, Text, Script)):
        found.append((field, _written(value)))
    elif isinstance(value, Struct):
        for name, shown in _fields(type(value)):
            part = getattr(value, name)
            if part and type(part) not in _NUMBERS:  # most are left out: no name is made for them
                _collect(field + shown, part, found)
    elif isinstance(value, dict):
        for key, item in value.items():
            _collect(f"{field}.{key}", item, found)
    elif isinstance(value, (tuple, list)):
        for index, item in enumerate(value):
            _collect(f"{field}.{item.name if isinstance(item, Service) else index}", item, found)


def _written(value: str | Text | Script) -> str:
    if isinstance(value, str):
        return value
    return spelled(value.text if isinstance(value, Script) else value)


@cache
def _fields(kind: type[Struct]) -> list[tuple[str, str]]:
    """Return a class's fields, each with what it adds to a path; typed directives stand in ``slurm`` itself."""
    names = [name for name in kind.__struct_fields__ if name not in _UNREAD]
    return [(name, "" if name == "fields" else f".{_RENAMED.get(name, name)}") for name in names]
