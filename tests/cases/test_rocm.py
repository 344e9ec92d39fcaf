"""Bug cases about AMD GPUs (B133, B136): lists of devices, and for which GPUs kernels are built."""

from collections.abc import Callable
from typing import Any

import definition_reader
import dockerfile_reader
import pytest
from generated import render
from plain import errors, image_files, job_file, ray_starts

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
LISTS = ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")
ROCM = {"kind": "slurm", "variant": "rocm"}


@pytest.mark.parametrize("runtime", ["none", "apptainer", "docker", "podman"])
def test_b133_as_many_ids_as_gpus_and_each_once(cluster: Make, runtime: str) -> None:
    sim = cluster(gpus=4, vendor="rocm", nodes=1, ray_on_host=runtime == "none")
    target: dict[str, Any] = {**ROCM, "runtime": runtime}
    if runtime != "none":
        target["image"] = {"ref": "example/image:1"}
    done = sim.sbatch(render(sim, {"targets": {"job": target}}) / "job.sbatch")
    assert done.status == 0, done.log
    for call in (*ray_starts(sim), *sim.records("driver")):
        lists = {name: call["env"][name] for name in LISTS if name in call["env"]}
        assert set(lists) <= {"HIP_VISIBLE_DEVICES"}
        for ids in lists.values():
            assert sorted(ids.split(",")) == ["0", "1", "2", "3"]


def test_a_mask_that_is_unset_has_said_first_which_gpus_are_the_jobs(cluster: Make) -> None:
    sim = cluster(gpus=2, first_gpu=4, constrain_gpus=False, vendor="rocm", nodes=1)
    done = sim.sbatch(render(sim, {"unset_env": ["ROCR_VISIBLE_DEVICES"], "targets": {"job": ROCM}}) / "job.sbatch")
    assert done.status == 0, done.log
    (start,) = ray_starts(sim)
    assert (start["env"]["HIP_VISIBLE_DEVICES"], "ROCR_VISIBLE_DEVICES" in start["env"]) == ("4,5", False)


def test_b133_no_list_is_written_into_the_file() -> None:
    text = job_file(targets={"job": ROCM}, resources={"nodes": 2, "gpus": 4})
    assert not [line for line in text.splitlines() if any(f"{name}=0" in line for name in LISTS)]


@pytest.mark.parametrize("ids", ["0,1,2,4,5", "0,1,2", "0,1,1,2"])
def test_b133_a_list_that_does_not_fit_is_refused(ids: str) -> None:
    (found,) = errors(targets={"job": ROCM}, resources={"nodes": 2, "gpus": 4}, env={"HIP_VISIBLE_DEVICES": ids})
    assert "HIP_VISIBLE_DEVICES" in found.message
    assert found.hint


def test_b133_two_lists_together_are_refused() -> None:
    env = {"HIP_VISIBLE_DEVICES": "0,1,2,3", "ROCR_VISIBLE_DEVICES": "0,1,2,3"}
    found = errors(targets={"job": ROCM}, resources={"nodes": 2, "gpus": 4}, env=env)
    assert "MN224" in {item.code for item in found}


def test_b136_the_arch_list_is_written_with_semicolons_and_others_pass_as_they_are() -> None:
    others = {"AMDGPU_TARGETS": "gfx942,gfx950", "HIP_ARCHITECTURES": "gfx942 gfx950", "GPU_TARGETS": "gfx942;gfx950"}
    base = "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10_pytorch_release_2.9.1"
    image = {
        "repository": "r.example.org/a",
        "variants": {"rocm": {"tag": "1", "base": base, "gpu_arch": ["gfx942", "gfx950"]}},
        "env": {"build": others},
    }
    made = image_files(image=image, targets={"job": {**ROCM, "runtime": "docker", "resources": {"shm": "1G"}}})
    for stage in (
        dockerfile_reader.read(made["Dockerfile"], {})[-1],
        definition_reader.read(made["sim.def"], {})[-1],
    ):
        assert stage.env["PYTORCH_ROCM_ARCH"] == "gfx942;gfx950"
        assert {name: stage.env[name] for name in others} == others
