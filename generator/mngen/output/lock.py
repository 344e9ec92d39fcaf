"""One writer at a time in an output folder."""

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
def locked(root: Path) -> Iterator[None]:
    """Hold the folder for this process; the kernel lets go of it however the process ends.

    Raises ``EnvironmentFailure`` when another render holds it. Windows, and file systems that cannot lock
    a folder (some NFS servers: https://man7.org/linux/man-pages/man2/flock.2.html), go without.
    """
    if sys.platform == "win32":
        yield
        return
    handle = os.open(root, os.O_RDONLY)
    try:
        _take(handle, root)
        yield
    finally:
        os.close(handle)


def _take(handle: int, root: Path) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            message = f"another mngen is writing to `{root}`"
            raise EnvironmentFailure(message, hint="wait for it to end, then run the command again") from error
