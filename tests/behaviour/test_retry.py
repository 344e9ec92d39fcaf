"""`retry`: which ends put a Slurm job back into the queue, and how often."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
import ways
from generated import render

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]

RESUMES = {"resume": {"args": ["--resume"]}}
FAILS_ONCE = "[ $ATTEMPT != 0 ] || { touch begun; exit 1; }"


def requeues(sim: Cluster) -> list[list[str]]:
    return [call["argv"] for call in sim.records("scontrol") if call["argv"][0] == "requeue"]


@pytest.mark.parametrize("way", ways.SLURM)
def test_a_job_that_lost_a_node_is_tried_again(cluster: Make, way: str) -> None:
    sim = cluster(
        ray_on_host=way == "none", pyxis=way == "pyxis", requeue_delay=0.5, faults={"*": {"driver": {"sleep": 60}}}
    )
    fields = {"retry": {}, **RESUMES, "targets": {"job": ways.target(way, sim)}}
    job = sim.submit(render(sim, fields) / "job.sbatch")
    sim.wait_record("driver", timeout=30)
    sim.set_faults({})
    sim.kill_process("node2", "raylet")
    sim.wait_for(lambda: job.entry()["restarts"] == 1, 40)
    done = job.wait(40)
    assert (done.status, done.job["restarts"], done.leftovers) == (0, 1, []), done.log
    assert "attempt 0 ended with status 76; the job goes back to the queue" in done.log
    assert [one["argv"] for one in sim.records("driver")] == [[], ["--resume"]]


@pytest.mark.parametrize(
    ("submit", "part"),
    [(submit, part) for submit in ("direct", "ray-job") for part in ("the head", "a worker", "the only node")],
)
def test_a_driver_that_fails_of_a_loss_that_shows_later_is_tried_again(cluster: Make, submit: str, part: str) -> None:
    nodes = 1 if part == "the only node" else 2
    sim = cluster(nodes=nodes, requeue_delay=0.5)
    driver = {"command": ["bash", "-c", FAILS_ONCE], "submit": submit}
    fields = {"retry": {}, "workdir": str(sim.work), "driver": driver, "resources": {"nodes": nodes}}
    job = sim.submit(render(sim, fields) / "job.sbatch")
    sim.wait_for((sim.work / "begun").exists, 40)
    sim.kill_process("node2" if part == "a worker" else "node1", "raylet")
    sim.wait_for(lambda: job.entry()["restarts"] == 1, 40)
    done = job.wait(40)
    assert (done.status, done.leftovers) == (0, []), done.log
    assert "attempt 0 ended with status 1; the job goes back to the queue" in done.log


def test_a_driver_fails_as_often_as_is_said_and_one_task_goes_back_alone(cluster: Make) -> None:
    sim = cluster(nodes=1, requeue_delay=0.5, faults={"*": {"driver": {"exit": 7}}})
    fields = {"retry": {"max": 2, "exit_codes": [75, 7, 200]}, "slurm": {"array": "3"}}
    job = sim.submit(render(sim, fields) / "job.sbatch")
    sim.wait_for(lambda: job.entry()["restarts"] == 2, 60)
    done = job.wait(40)
    assert (done.status, done.job["restarts"]) == (7, 2), done.log
    assert requeues(sim) == [["requeue", "1_3"]] * 2
    assert done.log.count("goes back to the queue") == 2


def test_another_end_is_the_end(cluster: Make) -> None:
    sim = cluster(nodes=1, faults={"*": {"driver": {"exit": 7}}})
    done = sim.sbatch(render(sim, {"retry": {}}) / "job.sbatch", timeout=60)
    assert (done.status, requeues(sim)) == (7, []), done.log


def test_a_cancelled_job_is_not_tried_again(cluster: Make) -> None:
    sim = cluster(requeue_delay=0.5, faults={"*": {"driver": {"sleep": 60, "traps": ["TERM"], "exit": 76}}})
    job = sim.submit(render(sim, {"retry": {"exit_codes": [76, 143]}}) / "job.sbatch")
    sim.wait_record("driver", timeout=30)
    job.cancel()
    assert job.wait(40).status == 143
    assert requeues(sim) == []


def test_a_node_that_fails_its_check_is_a_reason(cluster: Make) -> None:
    sim = cluster(gpus=2, gpu_env=("UNUSED",), requeue_delay=0.5, faults={"node2": {"gpus": 1}})
    job = sim.submit(render(sim, {"retry": {"max": 1}}) / "job.sbatch")
    sim.wait_for(lambda: "goes back to the queue" in job.log(), 40)
    sim.set_faults({})
    done = job.wait(40)
    assert (done.status, done.job["restarts"]) == (0, 1), done.log
    assert "attempt 0 ended with status 77; the job goes back to the queue" in done.log


def test_a_time_limit_puts_it_back_whatever_the_status(cluster: Make) -> None:
    sim = cluster(requeue_delay=0.5, faults={"*": {"driver": {"sleep": 60, "traps": ["USR1"]}}})
    limit = {"on_time_limit": {"before": 60, "then": "requeue"}, "slurm": {"time": 60}}
    job = sim.submit(render(sim, {"retry": {"max": 1, "exit_codes": [9]}, **limit}) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    sim.set_faults({"*": {"driver": {"exit": 9}}})
    job.cancel("--batch", "--signal=USR1")
    sim.wait_for(lambda: job.entry()["restarts"] == 1, 40)
    done = job.wait(40)
    assert (done.status, done.job["restarts"]) == (9, 1), done.log
    assert "attempt 0 ended with status 0; the job goes back to the queue" in done.log


def fails_later(sim: Cluster, **fields: Any) -> dict[str, Any]:
    """A driver that fails by itself once there is a file."""
    script = "touch begun; until [ -e fail ]; do sleep 0.1; done; exit 1"
    return {"workdir": str(sim.work), "driver": {"command": ["bash", "-c", script]}, **fields}


def test_a_loss_long_before_is_not_why_a_driver_fails(cluster: Make) -> None:
    """The step that goes on without a node still ends with that node's status."""
    sim = cluster(requeue_delay=0.5)
    job = sim.submit(render(sim, fails_later(sim, retry={}, on_node_loss="continue")) / "job.sbatch")
    sim.wait_for((sim.work / "begun").exists, 40)
    sim.kill_process("node2", "raylet")
    sim.wait_for(lambda: "ray has ended on node2" in job.log(), 20)
    time.sleep(6)  # past the five seconds in which a loss would count
    (sim.work / "fail").touch()
    done = job.wait(40)
    assert (done.status, requeues(sim)) == (1, []), done.log


def test_what_ends_with_the_driver_is_no_loss(cluster: Make) -> None:
    """The head stays until all nodes are told to end, so that what follows it on other nodes does not die before."""
    sim = cluster(requeue_delay=0.5)
    follow = "until ray status; do sleep 0.2; done; while ray status; do sleep 0.2; done; exit 3"
    service = {"command": ["bash", "-c", f"export RAY_ADDRESS=$HEAD_ADDRESS; {follow}"], "on": "every-node"}
    fields = fails_later(sim, retry={"max": 1}, services={"follower": service})
    job = sim.submit(render(sim, fields) / "job.sbatch")
    sim.wait_for((sim.work / "begun").exists, 40)
    (sim.work / "fail").touch()
    done = job.wait(40)
    assert (done.status, requeues(sim)) == (1, []), done.log


def test_a_job_that_is_cancelled_at_its_end_is_not_tried_again(cluster: Make) -> None:
    """Slurm would bring it back even then."""
    sim = cluster(nodes=1, requeue_delay=0.5, kill_wait=30.0, faults={"*": {"driver": {"exit": 7}}})
    fields = {"retry": {"exit_codes": [7]}, "cleanup": "touch cleaning; sleep 6", "workdir": str(sim.work)}
    job = sim.submit(render(sim, fields) / "job.sbatch")
    sim.wait_for((sim.work / "cleaning").exists, 40)
    job.cancel()
    done = job.wait(40)
    assert (done.job["state"], requeues(sim)) == ("CANCELLED", []), done.log


def test_a_requeue_that_follows_a_cancel_wins(cluster: Make) -> None:
    """As in Slurm itself; else the test above would prove nothing."""
    sim = cluster(requeue_delay=0.5, kill_wait=10.0)
    script = sim.work / "job.sh"
    script.write_text("#!/bin/bash\ntrap '' TERM\n[ $SLURM_RESTART_COUNT ] || { touch begun; sleep 3; sleep 3; }\n")
    job = sim.submit(script)
    sim.wait_for((sim.work / "begun").exists, 20)
    job.cancel()
    assert "JobState=COMPLETING" in sim.run(["scontrol", "show", "job", job.id]).stdout
    sim.run(["scontrol", "requeue", job.id])
    assert job.wait(40).job["restarts"] == 1


@pytest.mark.parametrize("ends", ["with its driver", "before"])
def test_a_step_that_is_killed_does_not_end_as_a_driver_does(cluster: Make, ends: str) -> None:
    sim = cluster(
        requeue_delay=0.5, faults={"*": {"driver": {"exit": 1} if ends == "with its driver" else {"sleep": 60}}}
    )
    job = sim.submit(render(sim, {"retry": {"exit_codes": [137]}}) / "job.sbatch")
    sim.wait_for(lambda: "driver ended" in job.log() if ends == "with its driver" else sim.records("driver"), 40)
    sim.kill([row["pid"] for row in sim.processes() if row["argv"][1:3] == ["/tmp/mngen-1-0/job.sh", "node"]])
    done = job.wait(60)
    assert (done.status, requeues(sim)) == (1 if ends == "with its driver" else 76, []), done.log


def test_a_warning_after_the_drivers_end_is_no_reason(cluster: Make) -> None:
    sim = cluster(requeue_delay=0.5, faults={"*": {"driver": {"exit": 9}}})
    limit = {"on_time_limit": {"before": 60, "then": "requeue"}, "slurm": {"time": 60}}
    job = sim.submit(render(sim, {"retry": {}, **limit}) / "job.sbatch")
    sim.wait_for(lambda: "driver ended with status 9" in job.log(), 40)
    time.sleep(1.5)  # the batch shell has seen the end, and still waits for a loss to show
    job.cancel("--batch", "--signal=USR1")
    done = job.wait(40)
    assert (done.status, requeues(sim)) == (9, []), done.log


def test_none_is_none(cluster: Make) -> None:
    fields = {"retry": {"max": 0, "exit_codes": [7]}, "slurm": {"requeue": False}}
    assert "requeue " not in (render(cluster(), fields) / "job.sbatch").read_text()
