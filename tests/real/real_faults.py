"""Faults on real Slurm with real Ray: each has one end state, exit status and verdict, and leaves nothing behind."""

import time
from collections.abc import Callable

import pytest
from cells import NEW_RAY
from footprint import Before
from jobs import Job, Outcome, submit
from lab import Lab, LabError
from lab_files import HOME, Shape
from sites import SITES, example

SECRET = "a-value-that-nobody-may-see"
HOLD = "env.DRIVER_HOLD=600"


class Run:
    """A cluster for jobs of one example."""

    def __init__(self, lab: Lab, path: str, record: Callable[[str, object], None]) -> None:
        self.lab = lab
        self.path = path
        self.record = record
        lab.folders("alice", *SITES[path].folders)
        self.before = Before.of(lab)
        runtime = "none" if path == PLAIN else "apptainer"
        facts = {"path": path, "runtime": runtime, "net": lab.shape.net, "nodes": lab.shape.nodes, "ray": NEW_RAY}
        for name, value in facts.items():
            record(name, value)

    def submit(
        self, *sets: str, setup: str = "", overlay: str = "", user: str = "alice", env: tuple[str, ...] = ()
    ) -> Job:
        """Submit the example with changes to the manifest."""
        files = example(self.path, NEW_RAY, *sets, nodes=self.lab.shape.nodes, setup=setup, overlay=overlay)
        return submit(self.lab, files, user=user, env=env)

    def ended(self, job: Job, seconds: float = 240) -> Outcome:
        """Wait for the end, and note it."""
        outcome = job.wait(seconds)
        verdict = "".join(f", {each['status']} {each['reason']}" for each in outcome.verdicts[-1:])
        self.record("end", f"{outcome.state} {outcome.exit_code}{verdict}")
        self.record("took", round(outcome.seconds))
        return outcome

    def end(self, job: Job, state: str, status: int, reason: str, *, seconds: float = 240) -> Outcome:
        """Wait for the end, which has to be this one with nothing left."""
        outcome = self.ended(job, seconds)
        outcome.expect(state, status, reason)
        self.before.expect_nothing_left()
        return outcome


PLAIN = "minimal/slurm"
BOTH = [PLAIN, pytest.param("verl-gsm8k-slurm/sif", marks=pytest.mark.only_all)]


@pytest.fixture
def path() -> str:
    """The example, where a test does not name others."""
    return PLAIN


@pytest.fixture
def run(path: str, cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]) -> Run:
    """Two nodes with IPv4."""
    return Run(cluster(Shape()), path, record_property)


def real_driver_exits_7(run: Run) -> None:
    """The driver's status is the job's."""
    run.end(run.submit("env.DRIVER_EXIT=7"), "FAILED", 7, "driver")


@pytest.mark.parametrize("path", BOTH)
@pytest.mark.parametrize("node", ["node1", "node2"])
def real_raylet_killed(run: Run, node: str) -> None:
    """A node's Ray dies while the driver works."""
    job = run.submit(HOLD)
    job.wait_for_log("driver-report")
    began = time.monotonic()
    job.kill(node, "raylet/raylet ")
    job.wait_for_log("ERROR: ", 30)
    assert time.monotonic() - began < 10
    outcome = run.end(job, "FAILED", 76, "a part died")
    assert f"ray has ended on {node}" in outcome.log


@pytest.mark.parametrize("path", BOTH)
def real_ray_logs_are_kept(run: Run) -> None:
    """After a fault Ray's own logs of every node are beside the job's, those of nodes that were told to end too."""
    job = run.submit(HOLD, "logs.ray_session=on-failure", "logs.dir=logs")
    job.wait_for_log("driver-report")
    job.kill("node2", "raylet/raylet ")
    run.end(job, "FAILED", 76, "a part died")
    for node in run.lab.shape.names:
        kept = run.lab.path(f"{job.folder}/logs/ray-{job.number}-0-{node}/raylet.out")
        assert kept.exists(), job.log()


def real_worker_never_joins(run: Run) -> None:
    """A node hangs before its Ray starts: the job ends at its deadline and names that node."""
    job = run.submit("ray.ready_timeout=45", setup="[[ $(hostname) != node2 ]] || sleep 1000")
    outcome = run.end(job, "FAILED", 75, "the cluster did not form")
    assert "1 of 2 nodes, 8 of 16 GPUs; missing: node2" in outcome.log


@pytest.mark.parametrize("path", BOTH)
def real_scancel(run: Run) -> None:
    """`scancel` in the middle of the training."""
    job = run.submit(HOLD)
    job.wait_for_log("driver-report")
    job.cancel()
    outcome = run.ended(job)
    assert outcome.state == "CANCELLED", outcome
    assert [(each["status"], each["reason"]) for each in outcome.verdicts] == [(143, "cancelled")]
    run.before.expect_nothing_left()


@pytest.mark.parametrize("path", BOTH)
def real_batch_shell_killed(run: Run) -> None:
    """`kill -9` of the batch shell: nobody is left to say anything, and still nothing stays."""
    job = run.submit(HOLD)
    job.wait_for_log("driver-report")
    job.kill("node1", "slurm_script")
    outcome = run.ended(job)
    assert (outcome.state, outcome.exit_code) == ("FAILED", "0:9"), outcome
    run.before.expect_nothing_left(seconds=60)


def real_too_few_gpus(run: Run) -> None:
    """A GPU has fallen off a node: the job ends before Ray starts there, with what to exclude."""
    script = (
        "printf \"#!/bin/sh\\nseq -f 'GPU %%g' 7\\n\" >/usr/local/sbin/nvidia-smi; chmod 755 /usr/local/sbin/nvidia-smi"
    )
    run.lab.run("bash", "-c", f"mount -t tmpfs -o mode=755 tmpfs /usr/local/sbin; {script}", node="node2")
    run.before = Before.of(run.lab)
    outcome = run.end(run.submit(HOLD), "FAILED", 77, "a node failed its check")
    assert "7 of 8 GPUs here; submit again with --exclude=node2" in outcome.log


def real_secret_missing(run: Run) -> None:
    """A required secret is not set: `submit.sh` refuses; a plain `sbatch` ends before Ray starts."""
    with pytest.raises(LabError, match="WANDB_API_KEY is not set"):
        run.submit("secrets.WANDB_API_KEY={}")
    work = f"{HOME}/alice/work"
    run.lab.run("mkdir", f"{work}/logs", user="alice")
    number = run.lab.run("sbatch", "--parsable", "out/slurm/job.sbatch", user="alice", cwd=work).stdout.strip()
    outcome = run.end(Job(run.lab, number, work, "alice"), "FAILED", 78, "a secret or a setting is wrong")
    assert "not set in the submitting shell: WANDB_API_KEY" in outcome.log


def real_secret_is_not_shown(run: Run) -> None:
    """A secret reaches the driver's environment; no command line, file of the job or log has it."""
    job = run.submit("secrets.WANDB_API_KEY={}", HOLD, env=(f"WANDB_API_KEY={SECRET}",))
    job.wait_for_log("driver-report")
    for node in run.lab.shape.names:
        shown = run.lab.run("bash", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '", node=node, check=False).stdout
        shown = shown.replace(f"grep {SECRET}", "")
        assert "ray" in shown
        assert SECRET not in shown
        files = run.lab.run("grep", "-rlsI", SECRET, "/tmp", f"{HOME}/alice", node=node, check=False).stdout
        assert not files
    environment = run.lab.run(
        "bash", "-c", f"cat /proc/{job.pids('node1', 'python3 /srv/lab/driver.py')[0]}/environ", node="node1"
    ).stdout
    assert f"WANDB_API_KEY={SECRET}" in environment
    job.cancel()
    job.wait()
    run.record("end", "not shown")
    run.before.expect_nothing_left()


def real_time_limit_and_requeue(run: Run) -> None:
    """Before its time limit the driver is told, saves, and the job comes back for a second attempt with `resume` arguments."""
    overlay = "resume: {args: [trainer.resume_mode=auto]}\non_time_limit: {signal: USR1, before: 90, then: requeue}\n"
    job = run.submit(HOLD, "slurm.time=00:03:00", overlay=overlay)
    job.wait_for_log("driver-saved", 240)
    outcome = run.end(job, "COMPLETED", 0, "driver", seconds=300)
    assert [each["attempt"] for each in outcome.verdicts][-1] == 1
    assert outcome.report["attempt"] == "1"
    assert outcome.report["argv"] == ["trainer.resume_mode=auto"]
    assert job.show()["Restarts"] == "1"


def real_two_users_on_the_same_nodes(run: Run) -> None:
    """Two jobs of two users run on the same nodes at once, and each sees its own Ray only."""
    share = (HOLD, "resources.gpus=4", "resources.memory=8G")
    jobs = [run.submit(*share, f"driver.args=[{user}]", user=user) for user in ("alice", "bob")]
    for job in jobs:
        job.wait_for_log("driver-report", 300)
    assert jobs[0].nodes() == jobs[1].nodes() == ["node1", "node2"]
    jobs[0].cancel()
    jobs[0].wait()
    time.sleep(5)
    assert not jobs[1].ended(), jobs[1].log()
    jobs[1].kill("node1", "python3 /srv/lab/driver.py", "USR1")
    outcome = run.end(jobs[1], "COMPLETED", 0, "driver")
    assert outcome.report["argv"] == ["bob"]
