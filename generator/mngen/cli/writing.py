"""Files that a command writes where the user says, one at a time."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from mngen.errors import EnvironmentFailure, UsageError
from mngen.output.folders import made


def write_file(path: Path, text: str, *, force: bool) -> bool:
    """Write a file, with the folders around it; tell whether it was written, which one that holds the text is not.

    It is written beside its place and put there as a whole. A link stays, and so do the permissions of a file that is
    replaced. Raises ``UsageError`` when another file is there and ``force`` is not given, or no file can be there,
    ``EnvironmentFailure`` when it cannot be written; then all is as it was.
    """
    data = text.encode()
    try:
        _require_place(path)
        if not force and path.exists():
            if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
                return False
            raise UsageError(f"`{path}` exists", hint="choose another name with -o, or overwrite it with --force")
        if path.exists() and not path.is_file():  # a device or a pipe takes what it is given
            path.write_bytes(data)
        else:
            real = Path(os.path.realpath(path))
            with made(real.parent):
                _replace(real, data, force=force)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write `{path}`: {error.strerror}") from error
    return True


def _require_place(path: Path) -> None:
    """Refuse what not even ``--force`` makes a file."""
    if path.is_dir():
        raise UsageError(f"`{path}` is a folder", hint="-o names the file to write")
    if path.is_symlink() and not path.exists():
        hint = "choose another name with -o, or make the folder and the file that the link names"
        raise UsageError(f"`{path}` is a link that leads nowhere", hint=hint)


def _replace(path: Path, data: bytes, *, force: bool) -> None:
    part = path.with_name(f".{path.name[:200]}.{os.getpid()}")
    try:
        # A new file has the permissions that the umask leaves, as any program's.
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        with suppress(FileNotFoundError):
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        if force:
            part.replace(path)
        else:
            _put(part, path)
    finally:
        part.unlink(missing_ok=True)


def _put(part: Path, path: Path) -> None:
    """Give a new file its name, without taking it from one that came meanwhile."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        part.replace(path)
