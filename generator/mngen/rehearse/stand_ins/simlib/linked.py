"""What an image's mounts are on a node of plain processes: links, since nothing can be mounted there."""

import contextlib
import os
from typing import NamedTuple

from simlib.place import Sim


class Mount(NamedTuple):
    """One bind mount."""

    source: str
    target: str
    read_only: bool = False


def show(sim: Sim, mounts: list[Mount]) -> None:
    """Link each target to its source; nothing outside of the simulation's own folder is touched."""
    top = f"{sim.root.parent}/"
    for mount in mounts:
        target = os.path.normpath(mount.target)
        if not target.startswith(top) or os.path.realpath(target) == os.path.realpath(mount.source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        # What the image has there is an empty folder; another node may be at the same just now.
        with contextlib.suppress(OSError):
            os.rmdir(target)
        with contextlib.suppress(FileExistsError):
            os.symlink(mount.source, target)
