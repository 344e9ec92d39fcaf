"""What the fault tests share: a cluster for jobs of one example, and how a job has to end."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from cells import NEW_RAY
from footprint import Before
from jobs import Job, Outcome, submit
from lab import Lab
from sites import SITES, example

PLAIN = "minimal/slurm"
RUNTIMES = {
    PLAIN: "none",
    "verl-gsm8k-slurm/sif": "apptainer",
    "verl-amd-slurm/docker": "docker",
    "verl-amd-slurm/podman": "podman",
    "verl-gsm8k-slurm/shifter": "prefix",
}
"""The example that stands for each runtime."""
HOLD = "env.DRIVER_HOLD=600"
SECRETS = ("WANDB_API_KEY=a-value-that-nobody-may-see",)


def each_runtime(*but: str) -> list[Any]:
    """A parameter for each runtime that is not one of these; on each change the plain one runs."""
    paths = [path for path, runtime in RUNTIMES.items() if runtime not in but]
    return [path if path == PLAIN else pytest.param(path, marks=pytest.mark.only_page) for path in paths]


EACH_RUNTIME = each_runtime()


class Run:
    """A cluster for jobs of one example.

    Attributes:
        lab: The cluster.
        path: Folder of the example below golden/, and target.
        before: What was on its nodes.
    """

    def __init__(self, lab: Lab, path: str, record: Callable[[str, object], None]) -> None:
        self.lab = lab
        self.path = path
        self.record = record
        lab.folders("alice", *SITES[path].folders)
        self.before = Before.of(lab)
        shape = lab.shape
        facts = {"path": path, "runtime": RUNTIMES[path], "net": shape.net, "nodes": shape.nodes}
        for name, value in {**facts, "slurm": shape.slurm, "ray": NEW_RAY}.items():
            record(name, value)

    def look(self) -> None:
        """Take what is there now for what was there before."""
        self.before = Before.of(self.lab)

    def submit(
        self,
        *sets: str,
        setup: str = "",
        overlay: str = "",
        user: str = "alice",
        env: tuple[str, ...] = (),
    ) -> Job:
        """Submit the example with changes to the manifest."""
        files = example(self.path, NEW_RAY, *sets, nodes=self.lab.shape.nodes, setup=setup, overlay=overlay)
        return submit(self.lab, files, user=user, env=(*SECRETS, *env) if self.path != PLAIN else env)

    def working(self, *sets: str, **more: str) -> Job:
        """Submit it and wait until its driver works."""
        job = self.submit(HOLD, *sets, **more)  # type: ignore[arg-type]  # texts only
        job.wait_for_log("driver-report")
        return job

    def ended(self, job: Job, seconds: float = 240) -> Outcome:
        """Wait for the end, and note it."""
        outcome = job.wait(seconds)
        verdict = "".join(f", {each['status']} {each['reason']}" for each in outcome.verdicts[-1:])
        self.record("end", f"{outcome.state} {outcome.exit_code}{verdict}")
        self.record("took", round(outcome.seconds))
        return outcome

    def end(
        self, job: Job, state: str, status: int, reason: str, *, seconds: float = 240, without: tuple[str, ...] = ()
    ) -> Outcome:
        """Wait for the end, which has to be this one with nothing left."""
        outcome = self.ended(job, seconds)
        outcome.expect(state, status, reason)
        self.before.expect_nothing_left(without=without)
        return outcome

    def soon(self, job: Job, seconds: float) -> None:
        """Wait until the job says what went wrong, which has to be soon."""
        began = time.monotonic()
        job.wait_for_log("ERROR: ", 3 * seconds)
        took = time.monotonic() - began
        assert took < seconds, f"{took:.1f} s"
