"""Running a builder: its output goes to the user's terminal as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

from mngen.build.commands import Command
from mngen.errors import EnvironmentFailure

_HINTS = {
    "docker": "install Docker with buildx, or choose `--builder podman`",
    "podman": "install Podman, or choose `--builder buildx`",
}


def require_programs(commands: Sequence[Command]) -> None:
    """Raise ``EnvironmentFailure`` when a program, or Docker's buildx plug-in, is missing."""
    for program in dict.fromkeys(command.argv[0] for command in commands):
        if shutil.which(program) is None:
            raise EnvironmentFailure(f"`{program}` is not installed", hint=_HINTS.get(program))
    if any(command.argv[:2] == ("docker", "buildx") for command in commands):
        answer = subprocess.run(["docker", "buildx", "version"], capture_output=True, check=False)
        if answer.returncode != 0:
            raise EnvironmentFailure("this Docker has no buildx", hint=f"{_HINTS['docker']} or `--builder docker`")


def run(command: Command) -> int:
    """Run one command and return its exit status; what it prints goes to stderr, for stdout is for data."""
    sys.stderr.flush()
    try:
        return subprocess.run(command.argv, env={**os.environ, **command.env}, stdout=2, check=False).returncode
    except OSError as error:
        raise EnvironmentFailure(f"`{command.argv[0]}` cannot be started: {error.strerror}") from error
