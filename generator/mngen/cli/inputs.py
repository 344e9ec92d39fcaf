"""Manifests, overlays and site files as text, wherever they come from."""

from __future__ import annotations

import errno
import os
import stat
import sys
from codecs import BOM_UTF8
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from mngen.diagnostics import Diagnostic
from mngen.errors import EnvironmentFailure, FindingsError
from mngen.manifest.characters import MOST_BYTES, decode, decode_with_gaps, split_lines

STDIN = "<stdin>"
_USUAL = 64 * 1024
"""Bytes that hardly any manifest has."""


class Input(Struct, frozen=True):
    """One file's text, and its name in messages."""

    name: str
    text: str
    folder: Path
    """Where paths inside the file start from."""
    marked: bool = False
    """Whether a byte order mark stood before the text."""
    gap: Diagnostic | None = None
    """What is said of the first byte that is not UTF-8, where the text was read all the same."""


def read_input(argument: str, *, gaps: bool = False) -> Input:
    """Read a file named on the command line; ``-`` is standard input.

    No more than is accepted is read, so that ``/dev/zero`` ends. Raises ``EnvironmentFailure`` when it cannot be
    read and ``FindingsError`` (MN107) when it is too large or not UTF-8. With ``gaps`` single bytes may be other
    than UTF-8: the text has a replacement character for each.
    """
    name = STDIN if argument == "-" else argument
    try:
        if argument == "-":
            data = _accepted(sys.stdin.buffer)
        else:
            with open(argument, "rb") as stream:  # noqa: PTH123 - a call may read a thousand, and Path takes as long again
                data = _accepted(stream)
    except OSError as error:
        raise EnvironmentFailure(f"cannot read `{name}`: {error.strerror}") from error
    return input_of(data, name, argument, gaps=gaps)


def _accepted(stream: BinaryIO) -> bytes:
    """Read as much as is accepted and one byte; room for all of that costs more than reading a manifest."""
    data = stream.read(_USUAL)
    return data if len(data) < _USUAL else data + stream.read(MOST_BYTES + 1 - _USUAL)


@cache
def folder_of(argument: str) -> Path:
    """Return the folder that paths inside a file start from; for standard input, the current one."""
    return Path() if argument == "-" else Path(argument).parent


def reader(folder: Path) -> Callable[[str], str]:
    """Return a function that reads the text of a regular file named relative to a folder; see :func:`read_regular`."""
    return lambda name: read_regular(folder / name).decode("utf-8-sig")


def read_regular(path: Path) -> bytes:
    """Return the bytes of a file that nobody named on the command line, without ever waiting for one.

    Raises ``OSError`` when it cannot be read, is a pipe or device, or has more bytes than are accepted.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is a folder" if stat.S_ISDIR(mode) else "it is not a regular file")
    with open(handle, "rb") as stream:  # noqa: PTH123 - what is open already
        data = _accepted(stream)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MOST_BYTES} bytes")
    return data


def input_of(data: bytes, name: str, argument: str, *, gaps: bool) -> Input:
    """Return what was read; ``gaps`` takes bytes that are no UTF-8 for a finding of its own, not for the end.

    Raises ``FindingsError`` for bytes that are no text.
    """
    text = decode(data, name)
    gap = text if isinstance(text, Diagnostic) else None
    if isinstance(text, Diagnostic):
        read = decode_with_gaps(data) if gaps else None
        if read is None:
            shown = decode_with_gaps(data)
            raise FindingsError((text,), None if shown is None else {name: split_lines(shown)})
        text = read
    return Input(name, text, folder_of(argument), marked=data.startswith(BOM_UTF8), gap=gap)
