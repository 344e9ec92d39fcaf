"""The lock file on disk, beside the manifest."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path

from mngen.cli.inputs import read_regular
from mngen.errors import EnvironmentFailure
from mngen.images import lock_file
from mngen.images.lock_file import NAME, Lock
from mngen.output.lock import locked


def path_of(folder: Path) -> Path:
    """Return the place of the lock file of the manifests in a folder."""
    return folder / NAME


def read(folder: Path) -> Lock:
    """Return the lock of a folder; an empty one when there is none. Raises ``FindingsError`` (MN606)."""
    path = path_of(folder)
    try:
        text = read_regular(path).decode()
    except FileNotFoundError:
        return Lock()
    except OSError as error:
        raise EnvironmentFailure(f"cannot read `{path}`: {error.strerror}") from error
    except UnicodeError as error:
        raise lock_file.unreadable(str(path), "it is not UTF-8") from error
    return lock_file.read(text, str(path))


def change(folder: Path, edit: Callable[[Lock], Lock]) -> tuple[Lock, Lock, bool]:
    """Put what ``edit`` makes of the lock in its place, while no other mngen does; return both, and whether it changed.

    ``edit`` gets the file as it is now: whoever asks registries in between must not undo what others wrote meanwhile.
    A link stays, and the file that it leads to is replaced as a whole.
    """
    path = path_of(folder)
    real = Path(os.path.realpath(path))
    try:
        with locked(real.parent, wait=True):
            before = read(folder)
            after = edit(before)
            return before, after, _write(real, lock_file.text(after).encode())
    except OSError as error:
        raise EnvironmentFailure(f"cannot write `{path}`: {error.strerror}") from error


def _write(path: Path, data: bytes) -> bool:
    with suppress(OSError):
        if read_regular(path) == data:
            return False
    part = path.with_name(f".{NAME}.{os.getpid()}")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    return True


def today() -> str:
    """Return the day, in UTC."""
    return datetime.now(timezone.utc).date().isoformat()
