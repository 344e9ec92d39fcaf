"""The lock file on disk, beside the manifest."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path

from mngen.cli.inputs import read_regular
from mngen.errors import EnvironmentFailure
from mngen.images import lock_file
from mngen.images.lock_file import NAME, Lock


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
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise EnvironmentFailure(f"cannot read `{path}`: {why}") from error
    return lock_file.read(text, str(path))


def write(folder: Path, lock: Lock) -> bool:
    """Replace the file as a whole; return whether it changed."""
    path, text = path_of(folder), lock_file.text(lock)
    with suppress(OSError):
        if read_regular(path) == text.encode():
            return False
    part = path.with_name(f".{NAME}.{os.getpid()}")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise EnvironmentFailure(f"cannot write `{path}`: {error.strerror}") from error
    return True


def today() -> str:
    """Return the day, in UTC."""
    return datetime.now(timezone.utc).date().isoformat()
