"""Kinds of target that a manifest uses and the schema does not know: other packages may bring them."""

from __future__ import annotations

from collections.abc import Callable

from mngen.manifest.definitions import KINDS, Kinds
from mngen.manifest.layers import Layers, children
from mngen.manifest.node import Scalar, child


def no_kind(name: str) -> str | None:
    """Stand in where no other package is asked."""
    del name
    return None


def further_kinds(layers: Layers, describe: Callable[[str], str | None]) -> Kinds:
    """Return the kinds of other packages that the targets ask for, those that ``describe`` knows."""
    asked: dict[str, None] = {}
    for layer in (layers.manifest, *layers.overlays):
        for target in children(layer, "targets").values():
            kind = child(target, "kind")
            if kind is not None and isinstance(kind.value, Scalar):
                asked[kind.value.spelling] = None
    found = ((name, describe(name)) for name in asked if name not in KINDS)
    return tuple((name, text) for name, text in found if text is not None)
