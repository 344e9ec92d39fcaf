"""Folders of rehearsals below /var/tmp: made for this process, and removed for those that died without a word."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":  # where rehearsals are refused, but their help is read
    import fcntl

_BELOW = Path("/var/tmp")
_NAME = re.compile(r"mns-(\d+)-\w+(?:-\w+)?")


def make_folder(kind: str = "") -> tuple[Path, int]:
    """Make a folder that everyone can read; it is locked until the descriptor is closed."""
    folder = Path(tempfile.mkdtemp(prefix=f"mns-{os.getpid()}-{kind}", dir=_BELOW))
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    folder.chmod(0o755)
    return folder, lock


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let signals to end wait until something is cleared away."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def remove_stale() -> None:
    """Remove what killed rehearsals of the same user left; errors do not matter."""
    if sys.platform == "win32":  # where none ever ran
        return
    for path in _BELOW.glob("mns-*"):
        found = _NAME.fullmatch(path.name)
        if found and not _runs(int(found[1])) and _is_own(path) and _is_free(path):
            shutil.rmtree(path, ignore_errors=True)


def _runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _is_own(path: Path) -> bool:
    try:
        return path.lstat().st_uid == os.geteuid() and path.is_dir() and not path.is_symlink()
    except OSError:
        return False


def _is_free(path: Path) -> bool:
    """Whether nobody holds its lock: a rehearsal in another container has other process numbers."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
