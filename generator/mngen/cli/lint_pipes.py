"""Files that ``mngen lint`` is given by name and that may be no files: a pipe without a writer would never end."""

from __future__ import annotations

import os
import select
import stat
import time
from pathlib import Path

from mngen.cli.inputs import Input, input_of, read_input
from mngen.errors import EnvironmentFailure
from mngen.manifest.characters import MOST_BYTES

PATIENCE_S = 1.0
"""How long somebody may take to begin to write."""
_GIVEN = ("/dev/", "/proc/")
"""Where what the caller has opened has its names: standard input, the pipes of ``<(…)``."""


def read_named(argument: str) -> Input:
    """Read a file as :func:`read_input` does, but no device, and a named pipe only while somebody writes to it.

    Raises ``EnvironmentFailure`` for them too.
    """
    kind = _kind(argument)
    if stat.S_ISFIFO(kind) and not argument.startswith(_GIVEN):
        return _from_pipe(argument)
    if stat.S_ISCHR(kind) or stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        what = "a socket" if stat.S_ISSOCK(kind) else "a device"
        raise EnvironmentFailure(f"cannot read `{argument}`: it is {what}, no file", hint="`-` is standard input")
    return read_input(argument, gaps=True)


def _kind(argument: str) -> int:
    """Return the sort of a file; 0 for standard input and for what cannot be looked at, which its reader tells."""
    try:
        return Path(argument).stat().st_mode if argument != "-" else 0
    except (OSError, ValueError):
        return 0


def _from_pipe(name: str) -> Input:
    try:
        handle = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise EnvironmentFailure(f"cannot read `{name}`: {error.strerror}") from error
    try:
        data = _drained(handle)
    finally:
        os.close(handle)
    if not data:
        raise EnvironmentFailure(
            f"cannot read `{name}`: it is a pipe that nobody writes to", hint="start what writes to it before"
        )
    return input_of(data, name, name, gaps=True)


def _drained(handle: int) -> bytes:
    """Return all that is written to a pipe until its last writer is gone, nothing if none came."""
    data, deadline = b"", time.monotonic() + PATIENCE_S
    while len(data) <= MOST_BYTES:
        try:
            piece = os.read(handle, 1 << 16)
        except BlockingIOError:  # there is a writer, who takes the time that it takes
            select.select([handle], [], [])
            continue
        if piece:
            data += piece
        elif data or time.monotonic() > deadline:
            break
        else:
            time.sleep(0.02)  # without a writer a pipe is at its end at once, and nothing tells of the first
    return data
