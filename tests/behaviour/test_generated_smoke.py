"""A generated Slurm job, whole, on a simulated cluster: the least that every runtime must do."""

from collections.abc import Callable

import pytest
from generated import render
from harness import Cluster

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
