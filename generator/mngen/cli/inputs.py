"""Manifests, overlays and site files as text, wherever they come from."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.errors import EnvironmentFailure, FindingsError

STDIN = "<stdin>"


@dataclass(frozen=True, slots=True)
class Input:
    """One file's text, and its name in messages."""

    name: str
    text: str
    folder: Path
    """Where paths inside the file start from."""


def read_input(argument: str) -> Input:
    """Read a file named on the command line; ``-`` is standard input.

    Raises ``EnvironmentFailure`` when it cannot be read and ``FindingsError`` (MN107) when it is not UTF-8.
    """
    if argument == "-":
        return Input(STDIN, _decoded(sys.stdin.buffer.read(), STDIN), folder_of(argument))
    path = Path(argument)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EnvironmentFailure(f"cannot read `{argument}`: {error.strerror}") from error
    return Input(argument, _decoded(data, argument), folder_of(argument))


def folder_of(argument: str) -> Path:
    """Return the folder that paths inside a file start from; for standard input, the current one."""
    return Path() if argument == "-" else Path(argument).parent


def reader(folder: Path) -> Callable[[str], str]:
    """Return a function that reads the text of a file named relative to a folder."""
    return lambda name: (folder / name).read_bytes().decode("utf-8-sig")


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        message = f"the file is not UTF-8 text: byte 0x{data[error.start]:02x} cannot be there"
        hint = "save the file as UTF-8"
        found = Diagnostic("MN107", Severity.ERROR, message, Span(name, line, column), hint)
        raise FindingsError((found,)) from error
