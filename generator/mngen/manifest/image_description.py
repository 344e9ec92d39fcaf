"""What an image is, as plain data: the same for two images that differ in nothing that is built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from mngen.manifest.image import Image

_NOT_DESCRIBED = {"span", "spans", "literal_block", "pins", "mirrors"}
"""Where a description stands, and where its parts come from."""


def description(image: Image) -> dict[str, Any]:
    """Return an image as JSON data, without defaults: a later release that adds a field changes no digest."""
    return _described(image)


def _described(value: Struct) -> dict[str, Any]:
    return {
        item.name: _plain(getattr(value, item.name))
        for item in fields(value)
        if item.name not in _NOT_DESCRIBED and getattr(value, item.name) != _default(item)
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        return _described(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return value


def _default(item: FieldInfo) -> Any:
    return item.default if item.default_factory is NODEFAULT else item.default_factory()
