"""What a node compares its image with: the GPUs that it was built for, and the torch that it was built with."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import ways
import yaml
from generated import DRIVER, module, render

from mngen.images.arch import pattern
from mngen.images.contract import lines
from mngen.images.guard import program, wanted
from mngen.manifest.capabilities import Gpu, rows
from mngen.manifest.load import load
from mngen.manifest.rules.gpu_toolkit import runs_on
from mngen.rehearse.cluster import Cluster, JobResult

Make = Callable[..., Cluster]


def check(folder: Path, archs: Sequence[str], seen: Sequence[str], *, wanted: int = 1, image: bool = True) -> str:
    """Run the check on a node with these GPUs, as every kind has it; what it says when it refuses."""
    vendor = "rocm" if archs[0].startswith("gfx") else "cuda"
    nodes = folder / "nodes"
    shutil.rmtree(nodes, ignore_errors=True)
    for place, number in enumerate(["0", *seen]):
        (nodes / str(place)).mkdir(parents=True)
        (nodes / str(place) / "properties").write_text(f"simd_count 0\ngfx_target_version {number}\nvendor_id 4098\n")
    (folder / "image.json").unlink(missing_ok=True)
    if image:
        (folder / "image.json").touch()
    settings = {
        "GPUS": str(wanted),
        "NODE_NAME": "n1",
        "GPU_ARCH": " ".join(archs),
        "GPU_FITS": "|".join(map(pattern, archs)),
        "SEEN": "\n".join(seen),
    }
    tool = folder / "nvidia-smi"
    tool.unlink(missing_ok=True)
    if seen != ["no nvidia-smi"]:
        answers = '[[ $* == "--query-gpu=compute_cap --format=csv,noheader" ]] && echo "${SEEN}"'
        tool.write_text(f"#!/bin/bash\n{answers}\n")
        tool.chmod(0o755)
    script = 'fail() { echo "$@"; exit "$1"; }\n'
    env = {"PATH": f"{folder}:/usr/bin:/bin", **settings}
    text = module(f"check_gpu_arch_{vendor}").replace("/etc/mngen", str(folder))
    script += text.replace("/sys/class/kfd/kfd/topology/nodes", str(nodes))
    command = ["bash", "-Eeuo", "pipefail", "-c", f"{script}\ncheck_gpu_arch\n"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (77 if done.stdout else 0, "")
    return done.stdout


@pytest.mark.parametrize(
    ("archs", "seen", "fits"),
    [
        # Volta, Turing, Ampere, Ada, Hopper, Blackwell of both kinds; a binary runs from its own version on, in its major.
        (["7.0"], ["7.0"], True),
        (["7.0"], ["7.5"], True),
        (["7.5"], ["7.0"], False),
        (["8.0"], ["8.6"], True),
        (["8.0"], ["8.9"], True),
        (["8.9"], ["8.6"], False),
        (["8.0"], ["9.0"], False),
        (["9.0"], ["8.0"], False),
        (["10.0"], ["10.3"], True),
        (["10.0"], ["12.0"], False),
        (["1.0"], ["10.0"], False),
        # PTX is compiled for what is newer, not for what is older.
        (["8.0+PTX"], ["9.0"], True),
        (["8.6+PTX"], ["8.0"], False),
        (["8.6+PTX"], ["12.1"], True),
        (["9.0+PTX"], ["10.0"], True),
        (["9.0+PTX"], ["8.9"], False),
        (["12.0+PTX"], ["10.3"], False),
        (["12.0+PTX"], ["13.0"], True),
        # Code for one GPU or one family is never for later ones.
        (["9.0a"], ["9.0"], True),
        (["9.0a+PTX"], ["10.0"], False),
        (["10.0a"], ["10.3"], False),
        (["10.0f"], ["10.3"], True),
        (["10.0f+PTX"], ["12.0"], False),
        (["8.0", "9.0a"], ["9.0"], True),
        (["gfx942"], ["90402"], True),
        (["gfx942:sramecc+:xnack-"], ["90402"], True),
        (["gfx942"], ["90500"], False),
        (["gfx942", "gfx950"], ["90500"], True),
        (["gfx90a"], ["90010"], True),
        (["gfx906"], ["90008"], False),
        (["gfx1100"], ["110000"], True),
        (["gfx1201"], ["120001"], True),
        (["gfx1030"], ["100300"], True),
    ],
)
def test_an_image_runs_on_the_gpus_that_it_has_code_for(
    tmp_path: Path, archs: list[str], seen: list[str], fits: bool
) -> None:
    said = check(tmp_path, archs, seen)
    assert bool(said) != fits
    if said:
        named = {"90500": "gfx950", "90008": "gfx908"}.get(seen[0], seen[0])
        assert said == f"77 the image was built for {' '.join(archs)}, the GPU is {named}; leave out n1\n"


@pytest.mark.parametrize("seen", [["8.0", "9.0", "9.0"], ['Field "compute_cap" is not a valid field to query.'], []])
def test_only_gpus_that_are_needed_and_known_are_refused(tmp_path: Path, seen: list[str]) -> None:
    assert check(tmp_path, ["9.0"], seen, wanted=2) == ""


def test_no_tool_and_no_contract_is_no_reason_to_refuse(tmp_path: Path) -> None:
    assert check(tmp_path, ["9.0"], ["no nvidia-smi"]) == ""
    assert check(tmp_path, ["9.0"], ["8.0"], image=False) == ""
    assert check(tmp_path, ["gfx942"], ["90010"], image=False) == ""


def test_the_manifests_check_and_the_nodes_agree() -> None:
    """On every GPU that is known, for every form of an architecture."""
    gpus = [Gpu(name=row.id, vendor=str(row.vendor), arch=str(row.arch)) for row in rows().values() if row.arch]
    pairs = [(arch, gpu) for one in gpus for arch in forms(one) for gpu in gpus if gpu.vendor == one.vendor]
    script = "while read -r gpu fits; do if [[ ${gpu} == @(${fits}) ]]; then echo yes; else echo no; fi; done"
    lines = "".join(f"{gpu.arch} {pattern(arch)}\n" for arch, gpu in pairs)
    said = subprocess.run(
        ["bash", "-c", script], input=lines, capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(said) == len(pairs) > 1000
    assert [
        (arch, gpu.arch) for (arch, gpu), word in zip(pairs, said, strict=True) if runs_on(arch, gpu) != (word == "yes")
    ] == []


def forms(gpu: Gpu) -> list[str]:
    """How a manifest may write its architecture."""
    ends = ("", ":xnack-") if gpu.vendor == "amd" else ("", "a", "f", "+PTX", "a+PTX", "f+PTX")
    return [gpu.arch + end for end in ends]


IMAGES = {
    "cuda": {"gpu_arch": ["9.0"], "base": "nvidia/cuda:12.8.1-devel-ubuntu24.04"},
    "rocm": {"gpu_arch": ["gfx942"], "base": "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10_pytorch_release_2.9.1"},
}
THERE = "/var/mngen"
"""The simulated image has the machine's own folders, and /etc and /opt are not ours to write to."""
TORCH = {"version": "2.8.0+cu128", "cuda": "12.8", "hip": None}


def moved(text: str) -> str:
    return text.replace("/etc/mngen", THERE).replace("/opt/mngen", THERE)


def torch(folder: str, version: str) -> dict[str, str]:
    """The files of an installed torch that the guard reads."""
    return {
        f"{folder}/torch-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n",
        f"{folder}/torch/version.py": "cuda: Optional[str] = '12.8'\nhip: Optional[str] = None\n",
    }


def run(make: Make, vendor: str, env: dict[str, str] | None = None, **nodes: Any) -> tuple[Cluster, JobResult]:
    """A job on an image of this manifest, on two nodes with two GPUs each."""
    fields: dict[str, Any] = {
        "image": {
            "repository": "example/image",
            "variants": {vendor: {"tag": "1", **IMAGES[vendor]}},
            "pip": {"packages": ["ray"]},
        },
        "env": env or {},
        "resources": {"nodes": 2, "gpus": 2},
        "targets": {"job": {"kind": "slurm", "variant": vendor, "runtime": "apptainer"}},
    }
    loaded = load(
        yaml.safe_dump({"apiVersion": "mngen/v1", "name": "sim", "driver": DRIVER, **fields}), "manifest.yaml"
    )
    assert loaded.manifest is not None
    (image,) = loaded.manifest.images.values()
    files = {
        f"{THERE}/image.json": "\n".join(lines(image)),
        f"{THERE}/torch_guard.py": moved("\n".join(program())),
        f"{THERE}/torch-wanted.json": json.dumps({**json.loads(wanted(image)), "python": ""}),
        f"{THERE}/torch.json": json.dumps(TORCH),
        **torch(f"{THERE}/site", "2.8.0+cu128"),
        **torch(f"{THERE}/home", "2.8.0+cpu"),
    }
    folders = sorted({str(Path(path).parent) for path in files})
    sim = make(
        nodes=2, gpus=2, vendor=vendor, ray_on_host=False, image={"files": files, "folders": folders}, node=nodes
    )
    script = render(sim, fields) / "job.sbatch"
    script.write_text(moved(script.read_text()))
    return sim, sim.sbatch(script)


@pytest.mark.parametrize(
    ("vendor", "gpus", "said"),
    [
        ("cuda", ["8.0", "8.0"], "built for 9.0, the GPU is 8.0; leave out node2"),
        ("rocm", ["gfx90a", "gfx90a"], "built for gfx942, the GPU is gfx90a; leave out node2"),
        ("cuda", ["9.0", "9.0"], ""),
    ],
    ids=["cuda", "rocm", "cuda-that-fits"],
)
def test_a_node_whose_gpus_the_image_has_no_code_for_is_named(
    cluster: Make, vendor: str, gpus: list[str], said: str
) -> None:
    sim, done = run(cluster, vendor, {"PYTHONPATH": f"{THERE}/site"}, node2={"gpu_arch": gpus})
    assert done.status == (77 if said else 0), done.log
    assert said in done.log
    assert bool([call for call in sim.records("ray") if call["node"] == "node2"]) != bool(said)


def test_a_torch_that_is_not_the_images_is_named(cluster: Make) -> None:
    """As when a home folder with packages of its own lies in front of the image's."""
    sim, done = run(cluster, "cuda", {"PYTHONPATH": f"{THERE}/home:{THERE}/site"})
    assert done.status == 77, done.log
    said = "'the job' replaced torch: it was 2.8.0+cu128 (CUDA 12.8), now it is 2.8.0+cpu (CUDA 12.8)"
    assert f" {said}\n" in done.log
    assert re.search("ERROR: on node[12] 'the job'", done.log)
    assert sim.records("ray") == []


@pytest.mark.parametrize("way", ways.CONTAINED)
def test_what_an_image_starts_by_itself_does_not_stand_before_the_job(way: str) -> None:
    """As images of vLLM start its server, with what follows the image's name as its arguments."""
    sim = ways.cluster(way, nodes=1, image={"entrypoint": ["echo", "serves"]})
    try:
        status, log = ways.run(way, sim, render(sim, {"targets": {"job": ways.target(way)}}))
        assert status == 0, log
        assert len(sim.records("driver")) == 1
    finally:
        sim.close()
