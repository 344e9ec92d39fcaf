"""Bug cases about Apptainer (B115 to B120): definition files, GPUs, variables of an image."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import definition_reader
import dockerfile_reader
import pytest
from generated import render
from plain import image_files, ray_starts

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
BASES = {"cuda": "nvidia/cuda:12.8.1-devel-ubuntu24.04", "rocm": "rocm/dev-ubuntu-24.04:7.0"}
VALUES = {
    "A": "B=X=Y",
    "FLAGS": "-O2 -g",
    "QUOTED": 'it\'s "so"',
    "DOLLAR": "$HOME ${x} `id`",
    "EMPTY": "",
    "HASH": "a # b",
}


def described(variant: str, **fields: Any) -> dict[str, Any]:
    """An image of one variant."""
    return {"repository": "r.example.org/a", "variants": {variant: {"tag": "1", "base": BASES[variant]}}, **fields}


def made(variant: str, **fields: Any) -> dict[str, str]:
    """The files of such an image."""
    target = {"kind": "slurm", "variant": variant, "runtime": "apptainer"}
    return image_files(image=described(variant, **fields), targets={"job": target})


@pytest.mark.parametrize("variant", BASES)
def test_b115_the_header_has_keys_and_values(variant: str) -> None:
    stages = {"stages": [{"name": "tools", "base": "debian:12.12-slim", "steps": [{"run": "true"}]}]}
    for fields in ({}, {"apt": ["git"], "pip": {"packages": ["numpy"]}}, stages):
        text = made(variant, **fields)["sim.def"]
        headers = [header for header, _ in definition_reader.definitions(text)]
        assert all(header["bootstrap"] == "docker" for header in headers)
        assert headers[-1]["from"] == BASES[variant]
        assert re.search(r"^Bootstrap: docker\nFrom: ", text, re.MULTILINE)
        assert not re.search(r"^FROM\b", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("variant", "gpu", "expected"),
    [
        ("cuda", "auto", ["nv"]),
        ("rocm", "auto", ["rocm"]),
        ("cuda", "nv", ["nv"]),
        ("rocm", "rocm", ["rocm"]),
        ("rocm", "devices", []),
    ],
)
def test_b117_the_gpu_mode_can_be_chosen(cluster: Make, variant: str, gpu: str, expected: list[str]) -> None:
    sim = cluster(nodes=1, gpus=2, vendor=variant, ray_on_host=False)
    target = {
        "kind": "slurm",
        "variant": variant,
        "runtime": "apptainer",
        "image": {"ref": "example/image:1"},
        "container": {"gpu": gpu},
    }
    sim.sbatch(render(sim, {"targets": {"job": target}}) / "job.sbatch")
    (container,) = sim.records("container")
    assert [name for name in ("nv", "rocm") if name in container["options"]] == expected
    devices = [item for item in container["options"].get("bind", []) if item.startswith("/dev/")]
    assert devices == (["/dev/kfd", "/dev/dri"] if gpu == "devices" else [])


def test_b120_one_variable_a_line_and_the_same_text_in_both_files(tmp_path: Path) -> None:
    files = made("cuda", env={"image": VALUES})
    lines = [line for line in files["Dockerfile"].splitlines() if line.startswith("ENV ")]
    assert [line.split("=")[0] for line in lines if line.split("=")[0][4:] in VALUES] == [f"ENV {n}" for n in VALUES]
    section = files["sim.def"].partition("\n%environment\n")[2].partition("\n%")[0]
    exports = [line.strip() for line in section.splitlines() if line.strip().startswith("export ")]
    assert all(len(re.findall(r"\bexport\b", line)) == 1 for line in exports)
    stages = dockerfile_reader.read(files["Dockerfile"], {})[-1], definition_reader.read(files["sim.def"], {})[-1]
    for stage in stages:
        assert {name: stage.shipped[name] for name in VALUES} == VALUES
    done = subprocess.run(["sh", "-c", f"{section}\nenv -0"], cwd=tmp_path, capture_output=True, check=True)
    env = dict(item.split("=", 1) for item in done.stdout.decode().split("\0")[:-1])
    assert {name: env[name] for name in VALUES} == VALUES


@pytest.mark.parametrize(("variant", "mask"), [("cuda", "CUDA_VISIBLE_DEVICES"), ("rocm", "HIP_VISIBLE_DEVICES")])
def test_a_clean_environment_has_the_jobs_mask_of_gpus(cluster: Make, variant: str, mask: str) -> None:
    """Without it a job of a shared node would take the GPUs of others, where Slurm does not hide them."""
    sim = cluster(nodes=1, ray_on_host=False, gpus=2, first_gpu=4, constrain_gpus=False, vendor=variant)
    target = {"kind": "slurm", "variant": variant, "runtime": "apptainer", "container": {"clean_env": True}}
    fields = {"targets": {"job": {**target, "image": {"ref": "a/b:1"}}}, "resources": {"gpus": 2}}
    done = sim.sbatch(render(sim, fields) / "job.sbatch")
    assert done.status == 0, done.log
    (start,) = ray_starts(sim)
    assert start["env"][mask] == "4,5"
