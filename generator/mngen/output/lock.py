"""One writer at a time in a folder."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mngen.errors import EnvironmentFailure

if sys.platform != "win32":
    import fcntl

_BUSY = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})


@contextmanager
def locked(root: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold the folder for this process; the kernel lets go of it however the process ends.

    Raises ``EnvironmentFailure`` when another mngen holds it, unless it waits for that one. Windows, and file
    systems that cannot lock a folder (some NFS servers: https://man7.org/linux/man-pages/man2/flock.2.html), go
    without.
    """
    if sys.platform == "win32":
        yield
        return
    handle = os.open(root, os.O_RDONLY)
    try:
        _take(handle, root, wait=wait)
        yield
    finally:
        os.close(handle)


def _take(handle: int, root: Path, *, wait: bool) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            message = f"another mngen is writing to `{root}`"
            raise EnvironmentFailure(message, hint="wait for it to end, then run the command again") from error
