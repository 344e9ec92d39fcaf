"""Parts of a running job that die: each has one end state, exit status and verdict, and leaves nothing behind."""

import pytest
from faults import EACH_RUNTIME, HOLD, PLAIN, RUNTIMES, Run

SERVICE = """services:
  helper:
    command: [bash, -c, "{command}"]
    ready: {{{ready}, timeout: 8}}
    {more}
"""


@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_driver_exits_7(run: Run) -> None:
    """The driver's status is the job's."""
    run.end(run.submit("env.DRIVER_EXIT=7"), "FAILED", 7, "driver")


@pytest.mark.parametrize("path", EACH_RUNTIME)
@pytest.mark.parametrize("node", [pytest.param("node1", marks=pytest.mark.only_page), "node2"])
def real_raylet_killed(run: Run, node: str) -> None:
    """A node's Ray dies while the driver works; the logs of Ray are kept, the head's whichever node it is."""
    job = run.working("logs.ray_session=on-failure", "logs.dir=logs")
    job.kill(node, "raylet/raylet ")
    run.soon(job, 10)
    outcome = run.end(job, "FAILED", 76, "a part died")
    assert f"ray has ended on {node}" in outcome.log
    for each in {"node1", node}:
        kept = run.lab.path(f"{job.folder}/logs/ray-{job.number}-0-{each}/raylet.out")
        assert kept.exists(), job.log()


@pytest.mark.only_page
@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_head_server_killed(run: Run) -> None:
    """The server of Ray's head dies while the driver works."""
    job = run.working()
    job.kill("node1", "gcs/gcs_server ")
    run.soon(job, 10)
    run.end(job, "FAILED", 76, "a part died")


@pytest.mark.only_page
@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_node_crashes(run: Run) -> None:
    """A node is gone from one moment to the next, as after a power cut."""
    job = run.working("slurm.no_kill=true")
    run.lab.crash("node2")
    run.soon(job, 60)
    run.end(job, "FAILED", 76, "a part died", without=("node2",))


@pytest.mark.only_page
@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_worker_never_joins(run: Run) -> None:
    """A node hangs before its Ray starts: the job ends at its deadline and names that node."""
    job = run.submit("ray.ready_timeout=30", setup="[[ $(hostname) != node2 ]] || sleep 1000")
    outcome = run.end(job, "FAILED", 75, "the cluster did not form")
    gpus = run.lab.shape.gpus
    assert f"1 of 2 nodes, {gpus} of {2 * gpus} GPUs; missing: node2" in outcome.log


@pytest.mark.only_page
@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_service_dies(run: Run) -> None:
    """A service ends while the driver works."""
    job = run.working(overlay=SERVICE.format(command="sleep 1001", ready="command: ['true']", more=""))
    job.kill("node1", "^sleep 1001")
    run.soon(job, 10)
    outcome = run.end(job, "FAILED", 76, "a part died")
    assert "helper has ended on node1" in outcome.log


@pytest.mark.only_page
@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_service_never_ready(run: Run) -> None:
    """A service runs and does not answer: the job ends before the driver."""
    job = run.submit(
        HOLD, overlay=SERVICE.format(command="echo loading; sleep 1001", ready="tcp: true", more="port: auto")
    )
    outcome = run.end(job, "FAILED", 76, "a part died")
    assert "service helper is not ready on node1" in outcome.log
    assert "loading" in outcome.log
    assert "driver-report" not in outcome.log


@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_scancel(run: Run) -> None:
    """`scancel` in the middle of the training, whose driver has time to save."""
    job = run.working()
    job.cancel()
    outcome = run.ended(job)
    assert outcome.state == "CANCELLED", outcome
    assert [(each["status"], each["reason"]) for each in outcome.verdicts] == [(143, "cancelled")]
    # Slurm signals podman's helpers too, and what the container says then may not arrive.
    assert "driver-saved slowly" in outcome.log or RUNTIMES[run.path] == "podman", outcome.log
    run.before.expect_nothing_left()


CLIENTS = {"docker": "^docker run", "podman": "^podman run", "apptainer": "^apptainer|Apptainer runtime parent"}


ENGINE = pytest.param("verl-amd-slurm/docker", marks=pytest.mark.only_page)
REST = [pytest.param(path, marks=pytest.mark.only_page) for path in RUNTIMES if path not in {PLAIN, *ENGINE.values}]


@pytest.mark.parametrize("path", [PLAIN, ENGINE, *REST])
def real_everything_killed(run: Run) -> None:
    """`kill -9` of the batch shell, srun and the container's client: nobody can say anything, and nothing stays."""
    job = run.working()
    patterns = ["slurm_script", "^srun", *filter(None, [CLIENTS.get(RUNTIMES[run.path])])]
    pids = [pid for pattern in patterns for pid in job.pids("node1", pattern)]
    run.lab.run("kill", "-KILL", *pids, node="node1")
    outcome = run.ended(job)
    assert (outcome.state, outcome.exit_code) == ("FAILED", "0:9"), outcome
    # Apptainer's own server of a SIF has a session of its own and hears nothing when its starter is killed. Here Slurm
    # tracks a job by parents, and loses it; by cgroup it does not.
    own = "squashfuse_ll" if RUNTIMES[run.path] == "apptainer" else ""
    run.before.expect_nothing_left(seconds=60, but=own)


@pytest.mark.only_page
@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_time_limit_and_requeue(run: Run) -> None:
    """Before its time limit the driver is told and saves; the second attempt has the arguments of `resume`."""
    overlay = "resume: {args: [trainer.resume_mode=auto]}\non_time_limit: {signal: USR1, before: 30, then: requeue}\n"
    job = run.submit(HOLD, "slurm.time=00:02:00", overlay=overlay)
    job.wait_for_log("driver-saved", 240)
    outcome = run.end(job, "COMPLETED", 0, "driver", seconds=300)
    assert [each["attempt"] for each in outcome.verdicts][-1] == 1
    assert outcome.report["attempt"] == "1"
    assert outcome.report["argv"][-1] == "trainer.resume_mode=auto"
    assert job.show()["Restarts"] == "1"


@pytest.mark.only_page
@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_lost_part_is_tried_again(run: Run) -> None:
    """A node's Ray dies, and `retry` puts the job back into the queue; its second attempt comes to a good end."""
    job = run.working(overlay="resume: {args: [trainer.resume_mode=auto]}\nretry: {max: 1}\n")
    job.kill("node2", "raylet/raylet ")
    outcome = run.end(job, "COMPLETED", 0, "driver", seconds=300)
    assert "attempt 0 ended with status 76; the job goes back to the queue" in outcome.log
    assert [(each["attempt"], each["status"]) for each in outcome.verdicts] == [(0, 76), (1, 0)]
    assert outcome.report["argv"][-1] == "trainer.resume_mode=auto"
    assert job.show()["Restarts"] == "1"
