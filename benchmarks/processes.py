"""What a command costs: processor time of a process and all it started, which other load hardly touches."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()
"""Where measured processes write. On a disk a new file costs what its file system makes of the files that others have
deleted there lately: forty of them took between 2 and 30 ms of processor time on one machine."""

ENVIRONMENT = {
    # Compiled modules are kept, as on anybody's machine.
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "PYTHONHASHSEED": "0",
    "TMPDIR": MEMORY,
}


@dataclass(frozen=True, slots=True)
class Command:
    """A command line; ``{run}`` in a word becomes the number of the run, so that each has a folder of its own."""

    words: Sequence[str]


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of processor time (user and system), and the most memory of one process in bytes."""

    seconds: float
    peak: int


def cost(command: Command, run: int) -> Cost:
    """Run a command; a failing one ends the benchmark with its words."""
    words = [word.replace("{run}", str(run)) for word in command.words]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(words, stdout=said, stderr=said, stdin=subprocess.DEVNULL, env=ENVIRONMENT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            sys.exit(f"{' '.join(words)[:300]}: status {process.returncode}\n{said.read().decode()[-2000:]}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def interleaved(commands: Sequence[Command], rounds: int) -> list[list[float]]:
    """Return the seconds of each command, run in turn, after one turn that is not counted."""
    turns = [[cost(command, run).seconds for command in commands] for run in range(rounds + 1)]
    return [list(column) for column in zip(*turns[1:], strict=True)]


@dataclass(frozen=True, slots=True)
class Ratio:
    """The median of ratios, each within one round, with the quartiles around it."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f})"


def ratio(above: Sequence[float], below: Sequence[float]) -> Ratio:
    """Return how many times as much the one costs as the other."""
    low, median, high = statistics.quantiles([a / b for a, b in zip(above, below, strict=True)], n=4)
    return Ratio(median, low, high)
