"""Typed access to the nodes of an ``image`` section, whose shape the schema has checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from mngen.manifest.node import Node, Scalar, child

TextOf: TypeAlias = "Callable[[Node], str]"
"""Turns a scalar into its text; the manifest loader passes one that resolves render-phase placeholders."""


def spelling(node: Node) -> str:
    """Return a scalar exactly as it was written."""
    return node.value.spelling if isinstance(node.value, Scalar) else ""


class ImageReader(Struct, frozen=True):
    """Typed access to the fields of a map node that may be absent."""

    node: Node | None
    of: TextOf

    def child(self, key: str) -> Node | None:
        """Return the value of a key, or ``None``."""
        return child(self.node, key)

    def has(self, key: str) -> bool:
        """Tell whether a key is there."""
        return self.child(key) is not None

    def text(self, key: str, default: str = "") -> str:
        """Return the text of a key."""
        child = self.child(key)
        return default if child is None else self.of(child)

    def number(self, key: str, default: int) -> int:
        """Return the whole number of a key."""
        child = self.child(key)
        value = child.value.value if child is not None and isinstance(child.value, Scalar) else default
        return value if isinstance(value, int) else default

    def flag(self, key: str, *, default: bool) -> bool:
        """Return the truth value of a key."""
        child = self.child(key)
        if child is None or not isinstance(child.value, Scalar):
            return default
        return child.value.value is True

    def items(self, key: str) -> tuple[ImageReader, ...]:
        """Return a reader for each item of a list."""
        child = self.child(key)
        if child is None or not isinstance(child.value, tuple):
            return ()
        return tuple(ImageReader(item, self.of) for item in child.value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the items of a list of texts."""
        return tuple(self.of(item.node) for item in self.items(key) if item.node is not None)

    def section(self, key: str) -> ImageReader:
        """Return a reader for a map inside this one."""
        return ImageReader(self.child(key), self.of)

    def mapping(self) -> dict[str, str]:
        """Return this map as texts by name."""
        if self.node is None or not isinstance(self.node.value, dict):
            return {}
        return {key: self.of(item) for key, item in self.node.value.items()}
