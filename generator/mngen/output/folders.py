"""Folders that are made to be written to, and go again when nothing could be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def made(folder: Path) -> Iterator[None]:
    """Make a folder and those above it; when what is done in it fails, those that were made and are empty go again."""
    new: list[Path] = []
    while not folder.exists() and folder != folder.parent:
        new.append(folder)
        folder = folder.parent
    try:
        if new:
            new[0].mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        with suppress(OSError):  # one that is not empty, and so all above it
            for each in new:
                each.rmdir()
        raise
