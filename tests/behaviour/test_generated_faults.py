"""What a generated Slurm job does when something dies, falls silent, is cancelled or asked to stop."""

import time
from collections.abc import Callable

import pytest
from generated import render

from mngen.rehearse.cluster import Cluster, Job

Make = Callable[..., Cluster]

RUNTIMES = ["none", "apptainer", "docker"]


def running(
    cluster: Make, runtime: str = "none", driver: dict[str, object] | None = None, **more: object
) -> tuple[Cluster, Job]:
    """A job whose driver has started and would go on for a minute."""
    faults = {"*": {"driver": {"sleep": 60, **(driver or {})}}}
    sim = cluster(ray_on_host=runtime == "none", faults=faults, health_s=1.0, **more)
    target: dict[str, object] = {"kind": "slurm", "runtime": runtime}
    if runtime != "none":
        target["image"] = {"ref": "example/image:1"}
    job = sim.submit(render(sim, {"targets": {"job": target}}) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    return sim, job


@pytest.mark.parametrize("node", ["node1", "node2"])
def test_a_dead_raylet_ends_the_job_and_is_named(cluster: Make, node: str) -> None:
    sim, job = running(cluster)
    start = time.monotonic()
    sim.kill_process(node, "raylet")
    done = job.wait(30)
    assert done.status == 76, done.log
    assert node in done.log
    assert time.monotonic() - start < 15
    assert done.leftovers == []


@pytest.mark.parametrize("kind", ["slurm", "manual"])
def test_a_job_of_ray_that_dies_with_the_head_says_so(cluster: Make, kind: str) -> None:
    """Ray kills what its job server started before the death of Ray itself is seen."""
    sim = cluster(nodes=1, faults={"*": {"driver": {"sleep": 60}}})
    fields = {
        "driver": {"command": ["sim-driver"], "submit": "ray-job"},
        "resources": {"nodes": 1},
        "targets": {"job": {"kind": kind}},
    }
    folder = render(sim, fields)
    job = sim.submit(folder / "job.sbatch") if kind == "slurm" else None
    head = sim.spawn(["bash", str(folder / "head.sh")], node="node1") if kind == "manual" else None
    sim.wait_record("driver", timeout=20)
    started = [row for row in sim.processes() if "driver" in " ".join(row["argv"]) and "submit" not in row["argv"]]
    sim.kill([row["pid"] for row in started])
    time.sleep(2)  # a head may take as long to die after what it started
    sim.kill_process("node1", "gcs_server")
    done = job.wait(40) if job is not None else head.wait(40)
    assert done.status == 76


def test_a_node_that_was_told_to_end_does_not_hide_the_one_that_failed(cluster: Make) -> None:
    """The client of a container may die of the signal; srun then has two statuses and returns the higher one."""
    sim = cluster()
    client = "[[ ${NODE_NAME} == node2 ]] || exec sleep 60; sleep 1; exit 77"
    target = {"kind": "slurm", "runtime": "prefix", "container": {"prefix": ["bash", "-c", client, "client"]}}
    done = sim.sbatch(render(sim, {"targets": {"job": target}}) / "job.sbatch", timeout=40)
    assert done.status == 77, done.log
    assert done.leftovers == []


def test_a_silent_node_ends_the_job_and_is_named(cluster: Make) -> None:
    sim, job = running(cluster, kill_wait=1.0)
    sim.cut("node2")
    done = job.wait(60)
    assert done.status == 76, done.log
    assert "node2" in done.log


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_cancelled_job_leaves_nothing(cluster: Make, runtime: str) -> None:
    sim, job = running(cluster, runtime, kill_wait=8.0)
    job.cancel()
    done = job.wait(30)
    assert (done.state, done.status) == ("CANCELLED", 143), done.log
    sim.wait_for(lambda: not sim.processes() and not sim.containers(), 15)
    assert [sorted(path.name for path in sim.left(name)) for name in sim.names] == [[], []]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_killed_batch_shell_leaves_nothing(cluster: Make, runtime: str) -> None:
    sim, job = running(cluster, runtime, kill_wait=4.0)
    job.kill_batch_shell()
    job.wait(30)
    sim.wait_for(lambda: not sim.processes() and not any(one["state"] == "running" for one in sim.containers()), 15)
    assert [sorted(path.name for path in sim.left(name)) for name in sim.names] == [[], []]


def test_a_node_that_does_not_join_fails_the_job_and_is_named(cluster: Make) -> None:
    sim = cluster(faults={"node2": {"ray_never_join": True}})
    manifest = {"ray": {"ready_timeout": 3}, "targets": {"job": {"kind": "slurm"}}}
    done = sim.sbatch(render(sim, manifest) / "job.sbatch", timeout=40)
    assert done.status == 75, done.log
    assert "node2" in done.log
    assert sim.records("driver") == []


@pytest.mark.parametrize(("fault", "status"), [({"ray_start_exit": 3}, 76), ({"gpus": 1}, 77)])
def test_a_head_that_fails_early_ends_the_job_where_the_loss_of_a_node_would_not(
    cluster: Make, fault: dict[str, int], status: int
) -> None:
    """The others must not wait for it until the deadline, which is minutes away."""
    sim = cluster(gpus=2, faults={"node1": fault})
    manifest = {"on_node_loss": "continue", "resources": {"gpus": 2}, "targets": {"job": {"kind": "slurm"}}}
    done = sim.sbatch(render(sim, manifest) / "job.sbatch", timeout=60)
    assert done.status == status, done.log
    assert "node1" in done.log
    assert sim.records("driver") == []
    assert done.leftovers == []
