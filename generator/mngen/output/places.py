"""Paths below the output folder, none of which may lead out of it.

Paths come from targets (trusted, checked all the same) and from inventories (not trusted: they are
checked in, merged and edited). Both are plain relative POSIX paths, and every folder on the way must
be a real one: a symbolic link could point anywhere.
"""

from __future__ import annotations

import os
import stat
from enum import Enum
from pathlib import Path

from msgspec import Struct

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.errors import EnvironmentFailure, FindingsError

_FORBIDDEN_PARTS = frozenset({"", ".", ".."})


class Kind(Enum):
    """What stands at a path, not following a link in its last part."""

    ABSENT = "absent"
    FILE = "file"
    LINK = "link"
    FOLDER = "folder"
    OTHER = "other"


class Found(Struct, frozen=True):
    """What is on disk at one path; ``data`` and ``mode`` are set for regular files alone."""

    kind: Kind
    data: bytes | None = None
    mode: int | None = None


def is_executable(mode: int | None) -> bool:
    """Tell whether the owner may execute a file, all of a mode that git keeps.

    The other bits follow from the umask of whoever made the clone:
    https://git-scm.com/docs/gitdatamodel#Documentation/gitdatamodel.txt-mode.
    """
    return mode is not None and bool(mode & stat.S_IXUSR)


def with_lf(data: bytes) -> bytes:
    """Return a file's bytes with lines that end as mngen writes them, where a checkout made them end with CR LF."""
    return data.replace(b"\r\n", b"\n")


def is_inside(path: str) -> bool:
    """Tell whether a path is relative, in POSIX form, and free of ``.``, ``..``, empty parts and control characters."""
    parts = path.split("/")
    drive = parts[0][1:2] == ":"
    return _FORBIDDEN_PARTS.isdisjoint(parts) and not drive and "\\" not in path and path.isprintable()


def look(root: Path, path: str) -> Found:
    """Return what stands at ``root/path``.

    Raises ``FindingsError`` (MN508) when a folder on the way is a link or no folder at all, and
    ``EnvironmentFailure`` when the file cannot be read.
    """
    require_real_folders(root, path)
    place = os.path.join(root, path)  # noqa: PTH118 - each file is looked at: a Path takes longer than the disk
    try:
        status = os.lstat(place)
        if stat.S_ISREG(status.st_mode):
            return Found(Kind.FILE, Path(place).read_bytes(), stat.S_IMODE(status.st_mode))
    except FileNotFoundError:
        return Found(Kind.ABSENT)
    except OSError as error:
        raise EnvironmentFailure(f"cannot read `{root / path}`: {error.strerror}") from error
    if stat.S_ISLNK(status.st_mode):
        return Found(Kind.LINK)
    return Found(Kind.FOLDER if stat.S_ISDIR(status.st_mode) else Kind.OTHER)


def require_real_folders(root: Path, path: str) -> None:
    """Refuse (MN508) a path that passes through a link or a file below ``root``; absent folders are fine."""
    parts = path.split("/")
    for depth in range(1, len(parts)):
        above = "/".join(parts[:depth])
        try:
            mode = os.lstat(os.path.join(root, above)).st_mode  # noqa: PTH118 - as in look
        except FileNotFoundError:
            return
        except OSError as error:
            raise EnvironmentFailure(f"cannot look into `{root / above}`: {error.strerror}") from error
        if stat.S_ISDIR(mode):
            continue
        folder = root / above
        what = "a symbolic link" if stat.S_ISLNK(mode) else "no folder"
        raise FindingsError((_refused(folder, f"`{folder}` is {what}, and `{path}` has to go below it"),))


def _refused(place: Path, message: str) -> Diagnostic:
    hint = "mngen writes only into real folders below -o; move it away or choose another output folder"
    return Diagnostic("MN508", Severity.ERROR, message, Span(str(place)), hint)
