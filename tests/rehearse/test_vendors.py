"""Whose GPUs are played: those of the variant, and for files written by hand those that the file works with."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_files import GOLDEN, NAMES, rendered

from mngen.manifest.load import LoadOptions, load
from mngen.rehearse.shape import shape
from mngen.rehearse.subject import find

MANIFEST = """\
apiVersion: mngen/v1
name: job
resources: {{nodes: 2, gpus: 8}}
image: {{ref: "a/b:1"}}
{more}
targets: {{s: {{variant: {variant}, kind: {kind}}}}}
"""
SLURM = "slurm, runtime: {}, slurm: {{time: '1:00:00'}}"
KINDS = [*(SLURM.format(runtime) for runtime in ("none", "docker", "apptainer")), "manual, runtime: none", "dstack"]
TEXTS = [
    'env: {RAY_EXPERIMENTAL_NOSET_HIP_VISIBLE_DEVICES: "1", RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES: "1"}',
    'driver: {command: [bash, -c, "echo /dev/kfd --rocm HIP_VISIBLE_DEVICES; rocm-smi || nvidia-smi"]}',
    'setup: "[[ -e /dev/kfd ]] || fail 77 none"',
]


def _vendor(file: Path) -> str:
    return shape(find(file), None, None).vendor


@pytest.mark.parametrize("variant", ["cuda", "rocm"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("more", TEXTS)
def test_a_file_of_mngens_is_for_its_variants_maker(variant: str, kind: str, more: str, tmp_path: Path) -> None:
    more = more if "driver:" in more else f"{more}\ndriver: {{command: [a]}}"
    assert _vendor(rendered(tmp_path, MANIFEST.format(variant=variant, kind=kind, more=more))) == variant


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in GOLDEN.glob("*/manifest.yaml")))
def test_so_is_every_example(folder: str) -> None:
    whole = LoadOptions(read=lambda name: (GOLDEN / folder / name).read_text())
    manifest = load((GOLDEN / folder / "manifest.yaml").read_text(), "manifest.yaml", whole).manifest
    assert manifest is not None
    for target in manifest.targets:
        for name in NAMES:
            file = GOLDEN / folder / "out" / target.name / name
            if file.exists() and target.resources.gpus:
                assert _vendor(file) == target.variant.value, file


BY_HAND = [
    ("cuda", "srun ray start"),
    ("cuda", "#SBATCH --gpus-per-node=h100:8\nexport HIP_VISIBLE_DEVICES=0,1"),
    ("rocm", "#SBATCH --gres=gpu:mi300x:8\nsrun nvidia-smi"),
    ("rocm", "#SBATCH --constraint=mi250\ntrue"),
    ("cuda", "export RAY_EXPERIMENTAL_NOSET_HIP_VISIBLE_DEVICES=1"),
    ("cuda", "echo /dev/kfd HIP_VISIBLE_DEVICES rocm-smi"),
    ("cuda", "unset HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES"),
    ("cuda", "# rocm-smi --rocm /dev/kfd\ntrue"),
    ("cuda", "export HIP_VISIBLE_DEVICES=0\nsrun apptainer exec --nv x.sif true"),
    ("cuda", "[ -e /dev/kfd ] && gpu=--rocm || nvidia-smi"),
    ("rocm", "export HIP_VISIBLE_DEVICES=0,1"),
    ("rocm", "HIP_VISIBLE_DEVICES=0 srun ray start"),
    ("rocm", "export CUDA_VISIBLE_DEVICES=$ROCR_VISIBLE_DEVICES"),
    ("rocm", "srun apptainer exec --rocm x.sif true"),
    ("rocm", "srun bash -c 'docker run --device=/dev/kfd --device /dev/dri i python3 t.py --device cuda'"),
    ("rocm", "[ -e /dev/kfd ] || exit 1"),
    ("rocm", "srun rocm-smi"),
    ("rocm", "module load rocm/6.2"),
    ("rocm", "srun docker run rocm/vllm:1 true"),
]


@pytest.mark.parametrize(("vendor", "text"), BY_HAND)
def test_a_file_written_by_hand_tells_it_by_what_it_works_with(vendor: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "own.sbatch"
    file.write_text(f"#!/bin/bash\n#SBATCH --nodes=2\n{text}\n")
    assert _vendor(file) == vendor


TASKS = [
    ("rocm", "task.sky.yaml", "resources: {accelerators: MI300X:8}"),
    ("rocm", "task.sky.yaml", "resources: {accelerators: {MI300X: 8}}"),
    ("rocm", "task.sky.yaml", "envs: {HIP_VISIBLE_DEVICES: 0}"),
    ("cuda", "task.sky.yaml", "resources: {accelerators: [H100:8, A100-80GB:8]}\nenvs: {HIP_VISIBLE_DEVICES: 0}"),
    ("rocm", "task.dstack.yml", "type: task\nresources: {gpu: amd:8}"),
    ("rocm", "task.dstack.yml", "type: task\nresources: {gpu: {name: MI300X, count: 8}}"),
    ("rocm", "task.dstack.yml", "type: task\nenv: [HIP_VISIBLE_DEVICES=0]"),
    ("rocm", "task.dstack.yml", "type: task\nimage: rocm/vllm:1"),
    ("cuda", "task.dstack.yml", "type: task\nresources: {gpu: nvidia:80GB:8}\nimage: rocm/vllm:1"),
]


@pytest.mark.parametrize(("vendor", "name", "text"), TASKS)
def test_so_does_a_task(vendor: str, name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(f"{text}\n{'run: x' if 'sky' in name else 'commands: [x]'}\n")
    assert _vendor(tmp_path / name) == vendor
