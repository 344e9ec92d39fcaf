"""Whether the folders of what is to change can be written to, asked before the first file changes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from mngen.errors import EnvironmentFailure


def require_access(out: Path, paths: Iterable[str]) -> None:
    """Raise ``EnvironmentFailure`` when a path below ``out`` cannot be replaced or removed, for want of access.

    Renaming into a folder and removing from it take the folder's permission, whatever the file's own.
    """
    asked: set[Path] = set()
    first: dict[str, str] = {}  # path of each folder
    for path in paths:
        first.setdefault(path.rpartition("/")[0], path)
    for path in first.values():
        for folder in ((out / path).parent, out):
            nearest = folder if folder in asked else _nearest(folder)
            if nearest not in asked and not _is_writable(nearest):
                message = f"cannot write `{out / path}`: the folder `{nearest}` is not writable"
                raise EnvironmentFailure(message, hint=f"nothing in `{out}` was changed; make the folder writable")
            asked |= {folder, nearest}


def _nearest(folder: Path) -> Path:
    """Return the folder itself, or the one above in which it will be made."""
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    return folder


def _is_writable(folder: Path) -> bool:
    effective = os.access in os.supports_effective_ids
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=effective)
