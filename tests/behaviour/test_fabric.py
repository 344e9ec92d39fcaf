"""What a fabric brings: variables, devices and a check on every node, in simulated clusters with faked ports."""

from collections.abc import Callable
from typing import Any

import pytest
from generated import render

from mngen.rehearse.cluster import Cluster, JobResult

IB = {"state": "4: ACTIVE", "link_layer": "InfiniBand"}
ETHERNET = {"state": "4: ACTIVE", "link_layer": "Ethernet"}
DOWN = {"state": "1: DOWN", "link_layer": "InfiniBand"}
EFA = {"state": "4: ACTIVE", "link_layer": "Unspecified"}
UVERBS = ["/dev/infiniband/uverbs0"]
RUNTIMES: dict[str, dict[str, Any]] = {
    "none": {},
    "apptainer": {"runtime": "apptainer", "image": {"sif": "/image.sif"}},
    "docker": {"runtime": "docker", "image": {"ref": "verl:1"}},
    "podman": {"runtime": "podman", "image": {"ref": "verl:1"}},
    "pyxis": {"runtime": "pyxis", "image": {"ref": "verl:1"}},
}
BAD: dict[str, tuple[str, list[dict[str, str]], list[str], str]] = {
    "port down": ("ib", [DOWN], UVERBS, "no InfiniBand port is up; node node2"),
    "another link": ("roce", [IB], UVERBS, "no Ethernet port is up; node node2"),
    "no port": ("efa", [], UVERBS, "no EFA port is up; node node2"),
    "no device": ("ib", [IB], [], "no /dev/infiniband/uverbs* here; node node2"),
    "no device of EFA": ("efa", [EFA], [], "no /dev/infiniband/uverbs* here; node node2"),
    "no device of Slingshot": ("slingshot", [], [], "no /dev/cxi* here; node node2"),
}


Run = Callable[..., tuple[Cluster, JobResult]]


@pytest.fixture
def run(cluster: Callable[..., Cluster]) -> Run:
    """Run a job on two nodes, of which the second has other ports and devices."""

    def call(
        fabric: str, ports: list[dict[str, str]], devices: list[str], *, runtime: str = "none", **fields: Any
    ) -> tuple[Cluster, JobResult]:
        good = {"rdma": [IB, ETHERNET], "devices": [*UVERBS, "/dev/cxi0"]}
        node = {"node1": good, "node2": {"rdma": ports, "devices": devices}}
        sim = cluster(names=("node1", "node2"), node=node, pyxis=runtime == "pyxis")
        target = {"kind": "slurm", **RUNTIMES[runtime]}
        if runtime == "apptainer":
            (sim.work / "image.sif").touch()
            target["image"] = {"sif": str(sim.work / "image.sif")}
        script = render(sim, {"network": {"fabric": fabric}, "targets": {"job": target}, **fields}) / "job.sbatch"
        return sim, sim.sbatch(script, timeout=40)

    return call


@pytest.mark.parametrize("name", BAD)
def test_a_node_without_the_fabric_is_named_before_ray_starts(run: Run, name: str) -> None:
    fabric, ports, devices, words = BAD[name]
    sim, done = run(fabric, ports, devices)
    assert done.status == 77, done.log
    assert words in done.log
    assert not sim.records("driver")


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_the_fabric_reaches_the_driver(run: Run, runtime: str) -> None:
    sim, done = run("ib", [DOWN, IB], UVERBS, runtime=runtime)
    assert done.status == 0, done.log
    (driver,) = sim.records("driver")
    assert driver["env"]["NCCL_NET"] == "IB"


def test_what_the_manifest_sets_comes_first(run: Run) -> None:
    sim, done = run("slingshot", [], ["/dev/cxi3"], env={"NCCL_NET": "OFI", "NCCL_CROSS_NIC": "0"})
    assert done.status == 0, done.log
    (driver,) = sim.records("driver")
    env = driver["env"]
    assert (env["NCCL_NET"], env["NCCL_CROSS_NIC"], env["FI_MR_CACHE_MONITOR"]) == ("OFI", "0", "userfaultfd")
