"""The three standard streams when the caller has closed or unbuffered them, or whoever reads them has left.

A closed one is opened anew, for the other direction than it is used in. Then its number is not given to the
next file that is opened, no stream is ``None``, and using it fails as it does in any program: with EBADF.
Words that nobody can read are no failure, so standard error just takes them.

One without a buffer (PYTHONUNBUFFERED, ``python -u``) gets one again: without it, a write that the system takes a part
of drops the rest and is a success (https://docs.python.org/3/library/io.html#io.RawIOBase.write). All here is flushed
where it has to be.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_STAND_INS = {_STDIN: os.O_WRONLY, _STDOUT: os.O_RDONLY, _STDERR: os.O_WRONLY}


def settle() -> None:
    """Open what is closed, and buffer what is not; to be called before any other file is opened."""
    for number, flags in _STAND_INS.items():
        if not _is_open(number):
            # The lowest free number is taken: https://pubs.opengroup.org/onlinepubs/9799919799/functions/open.html
            os.set_inheritable(os.open(os.devnull, flags), True)
    for name, number, mode in (("stdin", _STDIN, "r"), ("stdout", _STDOUT, "w"), ("stderr", _STDERR, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - stays open
    for name, number in (("stdout", _STDOUT), ("stderr", _STDERR)):
        stream = getattr(sys, name)
        if isinstance(getattr(stream, "buffer", None), io.RawIOBase):
            # Without a buffer a write may be short, and nobody looks.
            buffered = open(number, "w", 1, stream.encoding, stream.errors, closefd=False)  # noqa: SIM115 - stays open
            setattr(sys, name, buffered)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def write_all(stream: TextIO, data: bytes) -> None:
    """Write to a stream and hand it over; one that does not block, as whoever shares it may ask, is waited for."""
    hand_over(stream)
    left = memoryview(data)
    while left:
        taken = _taken(stream, left)
        if taken < len(left):
            _wait(stream)
        left = left[taken:]
    hand_over(stream)


def _taken(stream: TextIO, data: memoryview) -> int:
    """Write to a stream's buffer; return how many bytes it has taken."""
    try:
        return stream.buffer.write(data)
    except BlockingIOError as error:
        return error.characters_written


def hand_over(stream: TextIO) -> None:
    """Flush a stream, however long whoever reads it takes."""
    while not _is_handed_over(stream):
        _wait(stream)


def _is_handed_over(stream: TextIO) -> bool:
    try:
        stream.flush()
    except BlockingIOError:  # the buffer keeps what is left
        return False
    return True


def _wait(stream: TextIO) -> None:
    import select  # noqa: PLC0415 - hardly any stream is such a one

    select.select([], [stream], [])


def leave_stdout() -> None:
    """Send what is left of the output to nobody."""
    _leave(_STDOUT)


def leave_stderr() -> None:
    """Send all further words to nobody."""
    _leave(_STDERR)


def _leave(number: int) -> None:
    """Point a stream at nothing, so that the interpreter's own flush at exit does not complain.

    https://docs.python.org/3/library/signal.html#note-on-sigpipe
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)
