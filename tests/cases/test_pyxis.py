"""Bug cases about pyxis and enroot (B107 to B112): image names, variables, container names, the file system."""

import re
import shlex
from collections.abc import Callable
from typing import Any

import pytest
from awkward import AwkwardJob
from generated import render
from plain import errors, job_file

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
Jobs = Callable[[str], AwkwardJob]


def job(image: dict[str, Any], **container: Any) -> dict[str, Any]:
    """Targets with one pyxis job."""
    return {"job": {"kind": "slurm", "runtime": "pyxis", "image": image, "container": container}}


def step(cluster: Make, image: dict[str, Any], **container: Any) -> tuple[Cluster, list[str]]:
    """A finished job of one node, and the options of its one step."""
    sim = cluster(nodes=1, pyxis=True, ray_on_host=False, image={"env": {"HEAD_IP": "192.0.2.1", "JOB_ID": "of image"}})
    done = sim.sbatch(render(sim, {"targets": job(image, **container)}) / "job.sbatch")
    assert done.status == 0, done.log
    (call,) = sim.records("srun")
    return sim, call["argv"]


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("nvcr.io/nvidia/pytorch:25.01-py3", "nvcr.io#nvidia/pytorch:25.01-py3"),
        ("verlai/verl:x", "verlai/verl:x"),
        ("ubuntu:24.04", "ubuntu:24.04"),
        ("host:5000/a/b:1", "host:5000#a/b:1"),
        ("localhost/a:1", "localhost#a:1"),
    ],
)
def test_b107_registry_and_path_are_joined_by_a_hash(reference: str, expected: str) -> None:
    text = job_file(targets=job({"ref": reference}))
    (word,) = re.findall(r"--container-image=(\S+)", text)
    assert shlex.split(word) == [expected]


def test_b107_the_step_gets_the_hash(cluster: Make) -> None:
    sim, options = step(cluster, {"ref": "nvcr.io/nvidia/pytorch:25.01-py3"})
    assert "--container-image=nvcr.io#nvidia/pytorch:25.01-py3" in options
    assert sim.records("container")[0]["image"] == "nvcr.io#nvidia/pytorch:25.01-py3"


def test_b107_a_squashfs_path_stays_as_it_is(cluster: Make) -> None:
    sim = cluster(nodes=1, pyxis=True, ray_on_host=False)
    path = sim.work / "verl 0.6.sqsh"
    path.touch()
    done = sim.sbatch(render(sim, {"targets": job({"sqsh": str(path)})}) / "job.sbatch")
    assert done.status == 0, done.log
    assert sim.records("container")[0]["image"] == str(path)


@pytest.mark.parametrize("reference", ["dockerd://verlai/verl:x", "docker://verlai/verl:x"])
def test_b107_a_scheme_is_refused(reference: str) -> None:
    (found,) = errors(targets=job({"ref": reference}))
    assert found.code == "MN272"


def test_b109_the_manifests_value_wins_over_the_images(awkward_job: Jobs) -> None:
    done = awkward_job("pyxis")
    for call in (done.driver, *done.starts()):
        assert call["env"]["MODEL"] == "of the manifest"


def test_b109_what_the_job_finds_out_wins_over_the_images(cluster: Make) -> None:
    sim, options = step(cluster, {"ref": "example/image:1"})
    (driver,) = sim.records("driver")
    assert (driver["env"]["HEAD_IP"], driver["env"]["JOB_ID"]) == ("10.77.0.1", "1")
    (names,) = [word.partition("=")[2].split(",") for word in options if word.startswith("--container-env=")]
    assert {"HEAD_IP", "JOB_ID", "JOB_DIR", "PORT_BLOCK"} <= set(names)
    assert not [name for name in names if name.startswith("NVIDIA_")]


def test_b110_each_step_names_its_image_and_no_container(cluster: Make) -> None:
    _sim, options = step(cluster, {"ref": "example/image:1"})
    assert not [word for word in options if word.startswith("--container-name")]
    assert len([word for word in options if word.startswith("--container-image=")]) == 1


def test_b110_a_container_name_of_ones_own_is_refused() -> None:
    (found,) = errors(targets=job({"ref": "example/image:1"}, options=["--container-name=mine:exec"]))
    assert found.code == "MN275"


@pytest.mark.parametrize(("mount_home", "writable"), [(True, False), (False, True)])
def test_b112_home_and_writing_are_always_said(cluster: Make, mount_home: bool, writable: bool) -> None:
    sim, options = step(cluster, {"ref": "example/image:1"}, mount_home=mount_home, writable=writable)
    assert ("--container-mount-home" in options, "--no-container-mount-home" in options) == (mount_home, not mount_home)
    assert ("--container-writable" in options, "--container-readonly" in options) == (writable, not writable)
    mounted = [mount["target"] for mount in sim.records("container")[0]["mounts"]]
    assert (str(sim.home) in mounted) == mount_home
