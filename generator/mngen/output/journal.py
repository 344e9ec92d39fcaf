"""What a render is about to write, noted before the first file changes.

Files are replaced one by one and the inventory last. When the process is killed in between, some files
are new while the inventory still describes the old ones; without a note, the next render would take them
for hand-edited. The journal names every digest that an unfinished render may have left behind. It lies in
the staging folder, which exists only while a render runs or after one was killed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from mngen.output.inventory import NAME as INVENTORY
from mngen.output.places import is_inside

STAGING = ".mngen-tmp"
"""Folder below the output folder for files not yet in place: same file system, so renames are atomic."""

NAME = "journal.json"


class Journal(Struct, frozen=True):
    """The manifest that was being rendered, and for each path the digests that it may have by now."""

    manifest: str
    digests: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def text(self) -> str:
        """Return the file's text."""
        digests = {path: sorted(values) for path, values in sorted(self.digests.items())}
        return json.dumps({"manifest": self.manifest, "digests": digests}) + "\n"

    def with_digests(self, new: Mapping[str, str]) -> Journal:
        """Return a journal that also allows ``new``: two renders in a row may have been killed."""
        paths = {*self.digests, *new}
        merged = {p: self.digests.get(p, frozenset()) | ({new[p]} if p in new else set()) for p in paths}
        return Journal(self.manifest, merged)

    def without(self, paths: Collection[str]) -> Journal:
        """Return a journal that no longer speaks of ``paths``."""
        return Journal(self.manifest, {p: values for p, values in self.digests.items() if p not in paths})


def read(root: Path) -> Journal | None:
    """Return what a killed render left, or ``None``.

    An unreadable journal counts as none: then files that it would have named may look edited by hand.
    """
    try:
        staging = root / STAGING
        if staging.is_symlink():
            return None
        return _parse(json.loads((staging / NAME).read_bytes().decode()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _parse(data: Any) -> Journal:
    reserved = {INVENTORY, STAGING}
    digests = {
        path: frozenset(map(str, values))
        for path, values in data["digests"].items()
        if is_inside(path) and path.split("/")[0] not in reserved
    }
    return Journal(str(data["manifest"]), digests)
