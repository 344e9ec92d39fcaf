"""A generated Slurm job, whole, on a simulated cluster: the least that every runtime must do."""

from collections.abc import Callable

import pytest
from generated import render

from mngen.rehearse import tasks
from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]


@pytest.mark.parametrize("net", ["ipv4", "ipv6", "dual", "debian", "bridges", "isolated"])
def test_the_drivers_status_and_arguments_are_kept(cluster: Make, net: str) -> None:
    sim = cluster(net=net, gpus=2, faults={"*": {"driver": {"exit": 7, "connect": True}}})
    done = sim.sbatch(render(sim, {}) / "job.sbatch", "a b", "$(touch /tmp/x)", "")
    assert (done.status, done.leftovers) == (7, []), done.log
    (driver,) = sim.records("driver")
    assert driver["argv"] == ["a b", "$(touch /tmp/x)", ""]
    assert driver["node"] == "node1"
    assert '"GPU": 4.0' in done.log


@pytest.mark.parametrize("runtime", ["none", "apptainer", "docker", "podman", "pyxis", "prefix"])
def test_every_runtime_runs_the_driver_and_leaves_nothing(cluster: Make, runtime: str) -> None:
    sim = cluster(
        gpus=2,
        ray_on_host=runtime == "none",
        pyxis=runtime == "pyxis",
        faults={"*": {"driver": {"exit": 3, "connect": True}}},
    )
    target = {"kind": "slurm", "runtime": runtime}
    if runtime != "none":
        target["image"] = {"ref": "example/image:1"}
    if runtime == "prefix":
        target["container"] = {"prefix": ["enter-image", "--image=example/image:1"]}
    done = sim.sbatch(render(sim, {"targets": {"job": target}}) / "job.sbatch")
    assert (done.status, done.leftovers) == (3, []), done.log
    assert '"GPU": 4.0' in done.log
    assert sim.containers() == []


IMAGE = {"ref": "example/image:1"}


def test_skypilot_runs_the_driver_and_ends_with_its_status(cluster: Make) -> None:
    sim = cluster(gpus=2, faults={"*": {"driver": {"exit": 3, "connect": True}}})
    target = {"kind": "skypilot", "image": IMAGE, "resources": {"gpu_type": "l4"}}
    head, worker = tasks.skypilot(sim, render(sim, {"targets": {"job": target}}))
    assert '"GPU": 4.0' in head.stdout
    assert head.status == 3
    assert worker.status in (0, 137)
    sim.wait_for(lambda: not sim.processes())


def test_dstack_runs_the_driver_with_arguments_and_ends_with_its_status(cluster: Make) -> None:
    sim = cluster(gpus=2, faults={"*": {"driver": {"exit": 3, "connect": True}}})
    target = {"kind": "dstack", "image": IMAGE, "resources": {"gpu_memory": "80GB"}}
    head, _worker = tasks.dstack(sim, render(sim, {"targets": {"job": target}}), args=["a b", "$x"])
    assert '"GPU": 4.0' in head.stdout
    assert head.status == 3
    assert sim.records("driver")[0]["argv"] == ["a b", "$x"]
    sim.wait_for(lambda: not sim.processes())


def test_hand_started_nodes_run_the_driver_and_end_with_its_status(cluster: Make) -> None:
    sim = cluster(gpus=2, faults={"*": {"driver": {"exit": 3, "connect": True}}})
    folder = render(sim, {"targets": {"job": {"kind": "manual"}}})
    token = {"RAY_AUTH_TOKEN": "secret"}
    scripts = [["bash", str(folder / "head.sh")], ["bash", str(folder / "worker.sh"), "10.77.0.1", "1"]]
    head, worker = sim.run_nodes(scripts, [token, token])
    assert '"GPU": 4.0' in head.stdout
    assert (head.status, worker.status) == (3, 0)
    assert sim.processes() == []
