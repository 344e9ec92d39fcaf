"""Ray's temp dir: short enough for a socket path, on the node's own disk, with a plain name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.model import Target
from mngen.manifest.text import spelled

LIMIT = 43
"""Bytes that a Ray temp dir may have: its sockets must stay within the kernel's 107 (``unix(7)``), and Ray
adds ``/session_<26>_<pid>/sockets/plasma_store``."""

OWN_FOLDER = len("/mngen-") + 12 + len("-99") + len("/r")
"""Bytes that the job's own folder below ``ray.temp_dir`` adds: ``/mngen-<job, 12 digits>-<attempt>/r``."""

_PLAIN = re.compile(r"/[A-Za-z0-9@%+=_./-]*")


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a temp dir that is too long, on a file system that nodes share, or with more than a plain name."""
    path = target.ray.temp_dir
    if not _PLAIN.fullmatch(path):
        yield finding(
            target,
            "MN256",
            "ray.temp_dir",
            f"ray.temp_dir is {path!r}; the job's folder in it goes through mounts, sockets and Ray's own commands, "
            "which take plain names only",
            hint="use letters, digits and @%+=_./- (a symbolic link will do)",
        )
    room = LIMIT - OWN_FOLDER
    length = len(path.rstrip("/").encode())
    if length > room:
        yield finding(
            target,
            "MN209",
            "ray.temp_dir",
            f"ray.temp_dir has {length} bytes; with the job's own folder ({OWN_FOLDER} bytes) it passes the "
            f"{LIMIT} that Ray's socket paths leave",
            hint=f"choose a node-local folder of at most {room} bytes, such as /tmp or /local",
        )
    for index, mount in enumerate(target.mounts):
        if mount.shared and any(_inside(path, place) for place in (mount.place, spelled(mount.source))):
            yield finding(
                target,
                "MN210",
                "ray.temp_dir",
                f"ray.temp_dir {path} lies in mounts.{index}, which is shared: nodes would find each other's sockets",
                hint="choose a folder on the node's own disk, such as /tmp",
                other=(f"mounts.{index}",),
            )


def _inside(path: str, folder: str) -> bool:
    folder = folder.rstrip("/")
    return bool(folder) and (path == folder or path.startswith(folder + "/"))
