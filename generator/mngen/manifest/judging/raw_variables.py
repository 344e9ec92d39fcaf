"""Variables that the raw block of SkyPilot or dstack hands over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mngen.manifest.model import Target

_BLOCKS: Mapping[str, tuple[str, ...]] = {"skypilot": ("envs", "secrets"), "dstack": ("env",)}


def raw_variables(target: Target) -> Iterator[tuple[str, str]]:
    """Yield each variable's name with the block that has it."""
    for block in _BLOCKS.get(target.kind, ()):
        yield from ((block, name) for name in _names(target.raw.get(block)))


def _names(block: Any) -> Iterator[str]:
    if isinstance(block, Mapping):
        yield from (str(name) for name in block)
    elif isinstance(block, list | tuple):
        yield from (str(item).partition("=")[0] for item in block)
