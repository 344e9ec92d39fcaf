"""A job that is told to end gives the driver, and whatever stands in its place, time to end in good order."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import ways
from generated import render

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]

SAVES = """
import os, signal, sys, time

def save(number, frame):
    os.write(1, b"saving\\n")  # Slurm tells every process, then its node does: a handler may be called within itself
    time.sleep(2)  # the time that writing a checkpoint takes
    open(sys.argv[1], "w").write("saved")
    os.write(1, b"saved it\\n")
    sys.exit(9)

signal.signal(signal.SIGTERM, save)
print("training", flush=True)
open(sys.argv[1] + ".begun", "w").close()
while True:
    time.sleep(0.1)  # the training
"""


def saving(sim: Cluster) -> tuple[dict[str, Any], Path]:
    """A driver that takes two seconds to save when it is told to end, and prints; the file that it writes."""
    kept = sim.work / "checkpoint"
    return {"driver": {"command": ["python3", "-c", SAVES, str(kept)]}}, kept


@pytest.mark.parametrize("logs", [{}, {"driver": "train.log"}], ids=["plain", "with-a-log"])
@pytest.mark.parametrize("runtime", ["none", "apptainer"])
def test_a_driver_of_a_cancelled_job_can_save(cluster: Make, runtime: str, logs: dict[str, str]) -> None:
    sim = cluster(nodes=2, kill_wait=12.0)
    driver, kept = saving(sim)
    image = {"image": {"ref": "a/b:1"}, "mounts": [{"source": str(sim.work), "target": str(sim.work)}]}
    target = {"kind": "slurm", "runtime": runtime, **(image if runtime != "none" else {})}
    folder = render(sim, {**driver, "logs": logs, "targets": {"job": target}})
    job = sim.submit(folder / "job.sbatch")
    sim.wait_for(Path(f"{kept}.begun").exists, 30)
    job.cancel()
    done = job.wait(30)
    assert kept.exists(), done.log
    assert kept.read_text() == "saved"
    assert "saved it" in done.log
    if logs:
        (log,) = (sim.work / "logs").glob("train-*.log")
        assert log.read_text().split("\n")[-3:-1] == ["saving", "saved it"]


@pytest.mark.parametrize("runtime", ["none", "apptainer"])
def test_a_driver_that_ray_runs_can_save(cluster: Make, runtime: str) -> None:
    """It is in a session of its own, and Ray would kill it with itself."""
    sim = cluster(nodes=2, kill_wait=20.0, proctrack="cgroup")
    driver, kept = saving(sim)
    driver["driver"]["submit"] = "ray-job"
    image = {"image": {"ref": "a/b:1"}, "mounts": [{"source": str(sim.work), "target": str(sim.work)}]}
    target = {"kind": "slurm", "runtime": runtime, **(image if runtime != "none" else {})}
    job = sim.submit(render(sim, {**driver, "targets": {"job": target}}) / "job.sbatch")
    sim.wait_for(Path(f"{kept}.begun").exists, 30)
    job.cancel()
    done = job.wait(40)
    assert (done.status, done.leftovers) == (143, []), done.log
    assert kept.exists(), done.log


@pytest.mark.parametrize(
    ("way", "warning", "submit"),
    [
        ("none", "USR2", "direct"),
        ("none", "INT", "ray-job"),
        *((way, "INT", "direct") for way in ("none", "apptainer", "docker")),
    ],
)
def test_a_driver_that_is_warned_by_a_signal_of_shells_sees_it(way: str, warning: str, submit: str) -> None:
    """A shell cannot trap what it was started without."""
    with closing(ways.cluster(way, nodes=1)) as sim:
        see_warning(sim, way, warning, submit)


def see_warning(sim: Cluster, way: str, warning: str, submit: str) -> None:
    """Run a job whose driver says that it was warned."""
    words = f"trap 'echo warned; exit 9' {warning}; touch {sim.work}/begun; while :; do sleep 0.1; done"
    limit = {"on_time_limit": {"signal": warning, "before": 60}}
    target = {**ways.target(way, sim), "slurm": {"time": "1:00:00"}}
    driver = {"command": ["bash", "-c", words], "submit": submit}
    folder = render(sim, {"driver": driver, **limit, "targets": {"job": target}})
    job = sim.submit(folder / "job.sbatch")
    sim.wait_for((sim.work / "begun").exists, 30)
    job.cancel("--batch", "--signal=USR1")
    assert "warned" in job.wait(30).log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_head_by_hand_lets_its_driver_save(cluster: Make, number: int) -> None:
    sim = cluster(nodes=1)
    driver, kept = saving(sim)
    folder = render(sim, {**driver, "logs": {"driver": "train.log"}, "targets": {"job": {"kind": "manual"}}})
    head = sim.spawn(["bash", str(folder / "head.sh")], node="node1")
    sim.wait_for(Path(f"{kept}.begun").exists, 30)
    head.signal(number)
    sim.wait_for(kept.exists, 15)
    (log,) = (sim.work / "logs").glob("train-*.log")
    sim.wait_for(lambda: "saved it" in log.read_text(), 10)


def test_a_step_of_the_manifest_ends_with_its_node(cluster: Make) -> None:
    """bash hears a signal only when the command that it waits for has ended."""
    sim = cluster(nodes=1)
    steps = [{"run": "touch begun; sleep 300", "on": "head", "when": "before-ray"}]
    folder = render(sim, {"prepare": steps, "targets": {"job": {"kind": "manual"}}})
    head = sim.spawn(["bash", str(folder / "head.sh")], node="node1")
    sim.wait_for((sim.work / "begun").exists, 30)
    head.signal(signal.SIGTERM)
    assert head.wait(15).status == 143


def test_a_step_is_watched(cluster: Make) -> None:
    """A node that is lost while the head prepares for hours ends the job."""
    sim = cluster(nodes=2)
    steps = [{"run": "touch begun; sleep 300", "when": "before-driver"}]
    folder = render(sim, {"prepare": steps})
    job = sim.submit(folder / "job.sbatch")
    sim.wait_for((sim.work / "begun").exists, 30)
    sim.kill_process("node2", "raylet")
    done = job.wait(60)
    assert done.status == 76, done.log


def test_a_text_that_leaves_its_shell_ends_the_job(cluster: Make) -> None:
    sim = cluster(nodes=1)
    for number, kind in ((0, "manual"), (0, "slurm"), (100, "manual")):
        folder = render(sim, {"setup": f"exit {number}\n", "targets": {"job": {"kind": kind}}})
        if kind == "manual":
            done = sim.run(["bash", str(folder / "head.sh")], node="node1", timeout=30)
            status, said = done.status, done.stdout + done.stderr
        else:
            finished = sim.sbatch(folder / "job.sbatch")
            status, said = finished.status, finished.log
        assert (status, f"setup.sh ended with {number}" in said) == (78, True), said


@pytest.mark.parametrize("kind", ["manual", "slurm"])
def test_host_setup_runs_without_a_container_too(cluster: Make, kind: str) -> None:
    sim = cluster(nodes=1)
    folder = render(sim, {"host_setup": "export FROM_HOST=yes\n", "targets": {"job": {"kind": kind}}})
    if kind == "manual":
        assert sim.run(["bash", str(folder / "head.sh")], node="node1", timeout=30).status == 0
    else:
        assert sim.sbatch(folder / "job.sbatch").status == 0
    assert [record["env"].get("FROM_HOST") for record in sim.records("driver")] == ["yes"]


@pytest.mark.parametrize("way", ["none", "pyxis", "apptainer", "docker"])
def test_the_drivers_last_words_wait_for_a_slow_file_system(way: str) -> None:
    """What a driver says at its end is why it failed; opening the log stalls meanwhile."""
    sim = ways.cluster(way, nodes=1)
    try:
        fields = {
            "driver": {"command": ["bash", "-c", "echo this is why; exit 3"]},
            "logs": {"driver": "train.log"},
            "targets": {"job": ways.target(way, sim)},
        }
        folder = render(sim, fields)
        log = sim.work / "logs" / "train-1-0.log"
        log.parent.mkdir(exist_ok=True)
        os.mkfifo(log)
        job = sim.submit(folder / "job.sbatch")
        sim.wait_for((sim.tmp("node1") / "mngen-1-0/driver.status").is_symlink, 30)
        time.sleep(2)  # the file system's own time, longer than a step lives that nothing holds back
        reader = os.open(log, os.O_RDONLY | os.O_NONBLOCK)
        done = job.wait(30)
        assert (done.status, done.leftovers) == (3, []), done.log
        assert b"this is why" in os.read(reader, 1 << 16)
        assert "this is why" in done.log
    finally:
        sim.close()


def test_a_step_that_is_told_to_end_is_cancelled(cluster: Make) -> None:
    """Preemption with a grace time tells the step alone, and nothing has died."""
    sim = cluster(faults={"*": {"driver": {"sleep": 60}}})
    job = sim.submit(render(sim, {}) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    job.cancel("--signal=TERM")
    done = job.wait(40)
    assert (done.status, done.leftovers) == (143, []), done.log
    assert '"status": 143, "reason": "cancelled"}' in done.log


@pytest.mark.parametrize("busy", ["driver", "prepare"])
def test_a_job_goes_back_to_the_queue_though_its_driver_does_not_end(cluster: Make, busy: str) -> None:
    faults = {"*": {"driver": {"sleep": 60, "traps": ["USR1"]}}} if busy == "driver" else {}
    wait = {"prepare": [{"run": "[ $ATTEMPT = 1 ] || { touch begun; sleep 60; }"}]} if busy == "prepare" else {}
    sim = cluster(requeue_delay=0.5, faults=faults)
    limit = {"on_time_limit": {"before": 6, "then": "requeue"}, "resume": {"args": ["--resume"]}}
    job = sim.submit(render(sim, {**limit, **wait, "slurm": {"time": 60}}) / "job.sbatch")
    sim.wait_for(lambda: (sim.work / "begun").exists() or sim.records("driver"), 30)
    sim.set_faults({})
    job.cancel("--batch", "--signal=USR1")
    sim.wait_for(lambda: job.entry()["restarts"] == 1, 40)
    done = job.wait(40)
    assert done.status == 0, done.log
    assert "the time limit ended attempt 0; the job goes back to the queue" in done.log
    assert sim.records("driver")[-1]["argv"] == ["--resume"]
