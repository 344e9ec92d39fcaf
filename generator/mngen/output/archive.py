"""A rendered tree as a tar stream, for ``-o -``: the same input gives the same bytes."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Sequence

from mngen.output import inventory
from mngen.plan import RenderedTree


def tar(trees: Sequence[tuple[str, RenderedTree]], *, complete: bool = True) -> bytes:
    """Return a tar of trees, each below its prefix (empty, or a path with its final ``/``), inventories included.

    Owner, group and time are zero. The inventory makes the unpacked folder one that ``render -o`` can take over.
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for prefix, tree in trees:
            for file in sorted(tree.files, key=lambda f: f.path):
                _add(archive, prefix + file.path, file.text, file.mode)
            listing = inventory.of_tree(tree, None, complete=complete).text()
            _add(archive, prefix + inventory.NAME, listing, inventory.MODE)
    return buffer.getvalue()


def _add(archive: tarfile.TarFile, path: str, text: str, mode: int) -> None:
    data = text.encode()
    member = tarfile.TarInfo(path)
    member.size, member.mode = len(data), mode
    archive.addfile(member, io.BytesIO(data))
