"""Files of a launch file placed in a simulated cluster, and started as its system would start them."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from mngen.rehearse import tasks
from mngen.rehearse.cluster import Cluster, Job, Process, Result
from mngen.rehearse.launchers import Group
from mngen.rehearse.process import FINAL
from mngen.rehearse.subject import Kind, Subject

_UP = re.compile(r'^cd -- "\$\{here\}"/?(\S*)$', re.MULTILINE)
_TOLD = re.compile(r"/worker\.sh (\S+) (?:RANK|1)$", re.MULTILINE)
"""What head.sh says of the way to start the others (`targets/manual.py`)."""
DEPTH = ("a", "b", "c", "d")
"""Folders above the target's, as many as a submit script may go up."""


class Placed(Struct, frozen=True):
    """A target's folder in a cluster, and where its user would stand to submit it."""

    folder: Path
    submit: Path


def place(sim: Cluster, subject: Subject, texts: Mapping[str, str]) -> Placed:
    """Copy the target's folder, with changed texts in place of its own."""
    folder = sim.work.joinpath(*DEPTH, subject.file.parent.resolve().name or "target")
    folder.mkdir(parents=True)
    for item in sorted(subject.file.parent.iterdir()):
        if item.is_file() and item.stat().st_size < 1 << 22:
            shutil.copy(item, folder / item.name)
    for name, text in texts.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    up = _UP.search(texts.get("submit.sh", ""))
    submit = (folder / (up[1].strip("/") if up else ".")).resolve()
    return Placed(folder, submit)


class Started(Protocol):
    """A launch file at work."""

    def status(self) -> int | None:
        """How it has ended, once it has."""

    def said(self) -> str:
        """All that it has said so far."""

    def stop(self) -> None:
        """Cancel it, as its user would."""


class Refused(Struct, frozen=True):
    """One that was not even accepted."""

    result: Result

    def status(self) -> int:
        """Return how the submission ended."""
        return self.result.status or 1

    def said(self) -> str:
        """Return what was said about it."""
        return self.result.stdout + self.result.stderr

    def stop(self) -> None:
        """Do nothing: there is nothing to cancel."""


class Batch:
    """A job of Slurm's."""

    def __init__(self, sim: Cluster, job: Job) -> None:
        self.sim, self.job = sim, job

    def status(self) -> int | None:
        """Return the batch script's exit status once Slurm has ended the job."""
        entry = self.job.entry()
        if entry.get("state") not in FINAL:
            return None
        return 128 + int(entry["exit_signal"]) if entry["exit_signal"] else int(entry["exit_code"])

    def said(self) -> str:
        """Return the job's output."""
        entry = self.job.entry()
        paths = dict.fromkeys(entry.get(name) for name in ("stdout_path", "stderr_path"))
        return "".join(self.sim.read(path) for path in paths if path)

    def stop(self) -> None:
        """`scancel` it."""
        self.job.cancel()


def start(sim: Cluster, subject: Subject, placed: Placed, env: Mapping[str, str]) -> Started:
    """Start a placed launch file as its system does."""
    file = placed.folder / subject.file.name
    if subject.kind is Kind.SLURM:
        return _slurm(sim, subject, placed, env)
    if subject.kind is Kind.SKYPILOT:
        return tasks.start_skypilot(sim, file, env=env)
    if subject.kind is Kind.DSTACK:
        return tasks.start_dstack(sim, file, env=env)
    return _manual(sim, placed, env)


def _slurm(sim: Cluster, subject: Subject, placed: Placed, env: Mapping[str, str]) -> Started:
    own = placed.folder / "submit.sh"
    if subject.generated and own.exists():
        done = sim.run(["bash", str(own)], env=dict(env), cwd=placed.submit, timeout=60)
        found = re.search(r"^job (\d+) is submitted$", done.stdout, re.MULTILINE)
        number = found[1] if found else ""
    else:
        command = ["sbatch", "--parsable", subject.file.name]
        done = sim.run(command, env=dict(env), cwd=placed.folder, timeout=60)
        number = done.stdout.strip()
    if not number or done.status:
        return Refused(done)
    return Batch(sim, Job(sim, Result(done.status, number, done.stderr)))


def _manual(sim: Cluster, placed: Placed, env: Mapping[str, str]) -> Started:
    def begin(words: list[str], name: str) -> Process:
        file, *more = words
        return sim.spawn(["bash", str(placed.folder / file), *more], node=name, env=dict(env), cwd=placed.submit)

    return Hands(sim, begin)


class Hands(Group):
    """Scripts that somebody starts by hand, one on each node: a worker with the words that the head prints for it."""

    def __init__(self, sim: Cluster, begin: Callable[[list[str], str], Process]) -> None:
        self.begin = begin
        self.all = [begin(["head.sh"], sim.names[0])]
        super().__init__(sim, self.all)

    def ended(self) -> bool:
        """Whether all have ended; starts the workers as soon as it is known how."""
        if len(self.all) == 1:
            told = _TOLD.search(self.said())
            workers = enumerate(self.cluster.names[1:], start=1) if told else ()
            self.all += [self.begin(["worker.sh", told[1], str(rank)], name) for rank, name in workers if told]
        return super().ended()

    def stop(self) -> None:
        """Do as Ctrl-C on each, or `kill`."""
        for process in self.running:
            if process.poll() is None:
                process.signal(signal.SIGTERM)
