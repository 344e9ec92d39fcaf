"""Running a builder's program: its output line by line, and its end when this process is told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from mngen.build.commands import Command
from mngen.checks.held_signals import HeldSignals
from mngen.errors import EnvironmentFailure

PATIENCE = 15.0
"""Seconds that a builder gets to end its containers; BuildKit takes about one."""


def stream(command: Command, each: Callable[[str], None]) -> int:
    """Run a command, hand over each line of its output, and return its exit status.

    The command has a process group of its own: Ctrl-C reaches it once, from here, as the one signal on which
    builders also end what runs in the engine.

    Raises ``EnvironmentFailure`` when the program cannot be started.
    """
    with _started(command) as process:
        assert process.stdout is not None
        for line in process.stdout:
            each(line.rstrip("\r\n"))
        return process.wait()


def capture(
    argv: tuple[str, ...], env: Mapping[str, str] | None = None, seconds: float = 60, *, merge: bool = True
) -> tuple[int, str]:
    """Run a short command; return its status and what it said: all, or without ``merge`` its data when it went well.

    A program that is missing is status 127, one that does not end in time 124.
    """
    try:
        done = subprocess.run(
            argv,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge else subprocess.PIPE,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except OSError as error:
        return 127, str(error.strerror)
    except subprocess.TimeoutExpired:
        return 124, f"no answer within {seconds:g} s"
    said = done.stdout if merge or done.returncode == 0 else f"{done.stdout}{done.stderr}"
    return done.returncode, said.strip()


@contextmanager
def _started(command: Command) -> Iterator[subprocess.Popen[str]]:
    # Until it is known what to end, whatever tells this process to end has to wait.
    held = HeldSignals()
    try:
        process = subprocess.Popen(
            command.argv,
            env={**os.environ, **command.env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        held.let_go()
        raise EnvironmentFailure(f"`{command.argv[0]}` cannot be started: {error.strerror}") from error
    try:
        held.let_go()
        yield process
    except BaseException:
        _end(process)
        raise
    finally:
        if process.stdout:
            process.stdout.close()


def _end(process: subprocess.Popen[str]) -> None:
    """Tell the whole group to end, and wait for it; past the deadline, kill it and all that it started.

    Podman leaves a step's own process alone that does not heed SIGTERM, as the first process of a container does not.
    """
    below = _below(process.pid)
    for number, seconds in ((signal.SIGTERM, PATIENCE), (signal.SIGKILL, 5.0)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            break
    deadline = time.monotonic() + 2
    while (left := below & _processes().keys()) and time.monotonic() < deadline:
        time.sleep(0.1)
    for pid, _ in left:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _below(top: int) -> set[tuple[int, str]]:
    """Return every process that a process has started, by number and start time."""
    parents = _processes()
    found: set[tuple[int, str]] = set()
    numbers = {top}
    while new := {key for key, parent in parents.items() if parent in numbers} - found:
        found |= new
        numbers = {pid for pid, _ in new}
    return found


def _processes() -> dict[tuple[int, str], int]:
    """Return the parents of all processes, by number and start time; nothing on a system without ``/proc``.

    Fields: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    """
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent, *rest = path.read_text(encoding="utf-8", errors="replace").rpartition(") ")[2].split()
            if state != "Z":
                found[int(path.parent.name), rest[17]] = int(parent)
    return found
