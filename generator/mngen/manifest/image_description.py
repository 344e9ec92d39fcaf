"""What an image is, as plain data: the same for two images that differ in nothing that is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from mngen.manifest.image import Image

_NOT_DESCRIBED = {"span", "spans", "literal_block", "pins", "mirrors"}
"""Where a description stands, and where its parts come from."""
_WRITTEN = {"stage": "from"}
"""What the manifest calls a field that is called otherwise here."""


def description(image: Image) -> dict[str, Any]:
    """Return an image as JSON data, without defaults: a later release that adds a field changes no digest."""
    return _described(image)


def texts(image: Image) -> Iterator[tuple[str, str, str]]:
    """Yield every text of a description: its dotted field below ``image``, the last name in that, and the text."""
    for key, value in description(image).items():
        yield from _texts(key, key, value)


def _texts(field: str, name: str, value: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, str):
        yield field, name, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(f"{field}.{index}", name, item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(f"{field}.{_WRITTEN.get(key, key)}", key, item)


def _described(value: Struct) -> dict[str, Any]:
    known = ((name, getattr(value, name), default) for name, default in _defaults(type(value)))
    return {name: _plain(found) for name, found, default in known if found != default}


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        return _described(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return value


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a class that describe something, each with its default or what equals no value."""
    return tuple((item.name, _default(item)) for item in fields(kind) if item.name not in _NOT_DESCRIBED)


def _default(item: FieldInfo) -> Any:
    return item.default if item.default_factory is NODEFAULT else item.default_factory()
