"""Devices and masks that a container engine is given, and a node that has them not."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from generated import render
from plain import files

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]


@pytest.mark.parametrize("kind", ["slurm", "manual"])
def test_amds_devices_are_open_to_their_group_on_the_node(cluster: Make, kind: str) -> None:
    """`render` has another number in each distribution, which a name would take from the image."""
    sim = cluster(nodes=1, ray_on_host=False, gpus=2, vendor="rocm")
    image = {"image": {"ref": "a/b:1"}, "resources": {"gpus": 2}}
    folder = render(sim, {"targets": {"job": {"kind": kind, "variant": "rocm", "runtime": "docker", **image}}})
    if kind == "slurm":
        assert sim.sbatch(folder / "job.sbatch").status == 0
    else:
        assert sim.run(["bash", str(folder / "head.sh")], node="node1", timeout=30).status == 0
    group = sim.run(["stat", "-c", "%g", "/dev/kfd"], node="node1").stdout.strip()
    (options,) = [container["options"] for container in sim.records("container")]
    assert group.isdigit()
    assert options["group-add"] == ["video", group]


@pytest.mark.parametrize("mask", ["HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"])
@pytest.mark.parametrize(("ray", "wanted"), [("2.52.1", "HIP_VISIBLE_DEVICES"), ("2.40.0", "ROCR_VISIBLE_DEVICES")])
def test_a_container_by_hand_gets_the_starting_shells_amd_mask(cluster: Make, mask: str, ray: str, wanted: str) -> None:
    """By the variable that its Ray deals out, whichever of them the shell has."""
    sim = cluster(nodes=1, ray_on_host=False, gpus=4, vendor="rocm")
    target = {"kind": "manual", "variant": "rocm", "runtime": "docker", "image": {"ref": "a/b:1"}}
    folder = render(sim, {"targets": {"job": target}, "resources": {"gpus": 2}, "ray": {"version": ray}})
    sim.run(["bash", str(folder / "head.sh")], node="node1", env={mask: "2,3"}, timeout=30)
    (options,) = [container["options"] for container in sim.records("container")]
    assert wanted in options["env"]


@pytest.mark.parametrize("kind", ["slurm", "manual"])
def test_a_node_without_a_device_is_named_before_the_engine_fails(cluster: Make, kind: str) -> None:
    sim = cluster(nodes=1, ray_on_host=False, gpus=0)
    target = {"kind": kind, "runtime": "docker", "image": {"ref": "a/b:1"}, "network": {"fabric": "ib"}}
    folder = render(sim, {"targets": {"job": target}})
    if kind == "slurm":
        done = sim.sbatch(folder / "job.sbatch")
        status, said = done.status, done.log
    else:
        ended = sim.run(["bash", str(folder / "head.sh")], node="node1", timeout=30)
        status, said = ended.status, ended.stdout + ended.stderr
    assert (status, "no /dev/infiniband here; leave out node1" in said) == (77, True), said
    assert sim.records("container") == []


@pytest.mark.parametrize("kind", ["slurm", "manual"])
@pytest.mark.parametrize("runtime", ["docker", "podman"])
@pytest.mark.parametrize("variant", ["cuda", "rocm"])
def test_services_with_gpus_are_rendered_for_engines(kind: str, runtime: str, variant: str) -> None:
    """ShellCheck takes one name in two functions for one variable."""
    target = {"kind": kind, "variant": variant, "runtime": runtime, "image": {"ref": "a/b:1"}}
    services = {"a": {"command": ["s"], "gpus": 1}}
    text = "".join(files(resources={"nodes": 2, "gpus": 2}, services=services, targets={"job": target}).values())
    assert "take_gpus 1" in text
    assert set(re.findall(r"local -a (\w+)", text)).isdisjoint(re.findall(r"local (\w+)=", text))
