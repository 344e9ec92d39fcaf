"""GPUs: vendors, generations, counts, device lists."""

from __future__ import annotations

import pytest

from mngen.manifest.capabilities import accelerators
from mngen.manifest.gpu_names import dstack, in_catalogue, skypilot


def gpu(name, **more):
    runtime = {"runtime": "docker"} if "image" in more or "built_image" in more else {}
    return {**runtime, "resources": {"gpu_type": name, "shm": "64G", **more.pop("resources", {})}, **more}


def env(**values):
    return {"env": values}


CUDA128 = {"base": "nvidia/cuda:12.8.1-devel-ubuntu24.04"}
CASES = {
    "AMD on cuda": (gpu("mi300x"), ["MN218"]),
    "NVIDIA on rocm": (gpu("h100", variant="rocm"), ["MN218"]),
    "AMD on rocm": (gpu("mi300x", variant="rocm"), []),
    "capital letters": (gpu("H100"), []),
    "underscore": (gpu("a100_80gb"), []),
    "unknown model": (gpu("nvidia_h100_80gb_hbm3"), ["MN217w"]),
    "misspelt model": (gpu("h10"), ["MN217w"]),
    "unknown model on SkyPilot": (gpu("nonsense", kind="skypilot"), ["MN217w"]),
    "unknown model on dstack": (gpu("nonsense", kind="dstack"), ["MN217w"]),
    "memory that no A100 has": (gpu("a100-90gb", kind="skypilot"), ["MN217w"]),
    "memory that SkyPilot has": (gpu("a100-80gb", kind="skypilot"), []),
    "memory without a unit": (gpu("a100-80", kind="skypilot"), []),
    "memory behind an underscore": (gpu("a100_80gb", kind="skypilot"), []),
    "model that no cloud has": (gpu("mi355x", kind="skypilot", variant="rocm"), ["MN217w"]),
    "model that only SkyPilot has": (gpu("k80", kind="skypilot"), ["MN217w"]),
    "GPUs of all nodes": ({"resources": {"nodes": 4, "gpus": 32}}, ["MN221n"]),
    "sixteen GPUs": ({"resources": {"nodes": 4, "gpus": 16}}, []),
    "B200 on CUDA 12.4": (gpu("b200", image={"ref": "nvidia/cuda:12.4.1-devel-ubuntu22.04"}), ["MN219"]),
    "B200 on CUDA 12.8": (gpu("b200", built_image=CUDA128), []),
    "B300 on CUDA 12.8": (gpu("b300", built_image=CUDA128), ["MN219"]),
    "V100 on CUDA 12.8": (gpu("v100", built_image=CUDA128), []),
    "V100 on CUDA 13": (gpu("v100", image={"ref": "nvidia/cuda:13.0.2-devel-ubuntu24.04"}), ["MN219"]),
    "H100 on CUDA 11.7": (gpu("h100", image={"ref": "nvidia/cuda:11.7.1-base-ubuntu22.04"}), ["MN219"]),
    "base without a version": (gpu("b200", image={"ref": "verlai/verl:app-verl0.6"}), []),
    "toolkit named beside the base": (gpu("b200", built_image={"base": "x/y:1", "toolkit": "12.4"}), ["MN219"]),
    "MI355X on ROCm 6.4": (gpu("mi355x", variant="rocm", image={"ref": "rocm/vllm:rocm6.4.1_x"}), ["MN219"]),
    "MI355X on ROCm 7.14": (gpu("mi355x", variant="rocm", image={"ref": "rocm/x:rocm7.14_y"}), []),
    "MI300X on ROCm 5.7": (gpu("mi300x", variant="rocm", image={"ref": "rocm/dev-ubuntu-22.04:5.7"}), ["MN219"]),
    "MI50 on ROCm 7": (gpu("mi50", variant="rocm", image={"ref": "rocm/dev-ubuntu-22.04:7.0"}), ["MN219w"]),
    "gpu_arch without the GPU": (gpu("l4", built_image={**CUDA128, "gpu_arch": ("9.0",)}), ["MN220w"]),
    "gpu_arch with the GPU": (gpu("h100", built_image={**CUDA128, "gpu_arch": ("8.0", "9.0")}), []),
    "gpu_arch of the same major": (gpu("a10", built_image={**CUDA128, "gpu_arch": ("8.0",)}), []),
    "gpu_arch of a later minor": (gpu("a100", built_image={**CUDA128, "gpu_arch": ("8.6",)}), ["MN220w"]),
    "gpu_arch with PTX": (gpu("h100", built_image={**CUDA128, "gpu_arch": ("8.0+PTX",)}), []),
    "gpu_arch of one chip": (gpu("h100", built_image={**CUDA128, "gpu_arch": ("9.0a",)}), []),
    "gpu_arch of AMD": (
        gpu("mi250x", variant="rocm", built_image={"variant": "rocm", "gpu_arch": ("gfx942",)}),
        ["MN220w"],
    ),
    "gpu_arch of AMD with features": (
        gpu("mi300x", variant="rocm", built_image={"variant": "rocm", "gpu_arch": ("gfx942:xnack-",)}),
        [],
    ),
    "image that the runtime does not use": (gpu("b200", built_image={"base": "x:cuda12.4"}, runtime="none"), []),
    "head with too many": ({"ray": {"head_gpus": 9}}, ["MN221"]),
    "head without": ({"ray": {"head_gpus": 0}}, []),
    "head without, alone": ({"ray": {"head_gpus": 0}, "resources": {"nodes": 1}}, ["MN221"]),
    "service with too many": ({"services": {"a": {"gpus": 9}}}, ["MN222"]),
    "services with too many together": ({"services": {"a": {"gpus": 5}, "b": {"gpus": 4}}}, ["MN222"]),
    "services with all": ({"services": {"a": {"gpus": 8, "on": "every-node"}}}, ["MN222w"]),
    "services with some": ({"services": {"a": {"gpus": 4, "on": "every-node"}, "b": {"gpus": 4}}}, []),
    "0 GPUs but a type": (gpu("h100", resources={"gpus": 0}), ["MN223n"]),
    "0 GPUs but a fabric": ({"resources": {"gpus": 0}, "network": {"fabric": "ib"}}, ["MN223n"]),
    "no GPUs, no fabric": ({"resources": {"gpus": 0}, "network": {"fabric": "none"}}, []),
    "three lists": (
        env(HIP_VISIBLE_DEVICES="0,1,2,3,4,5,6,7", CUDA_VISIBLE_DEVICES="0,1,2,3,4,5,6,7") | {"kind": "manual"},
        ["MN224", "MN225w"],
    ),
    "CUDA's on AMD": (
        env(CUDA_VISIBLE_DEVICES="0,1,2,3,4,5,6,7") | {"variant": "rocm", "kind": "manual"},
        ["MN225"],
    ),
    "ROCR with a new Ray": (
        env(ROCR_VISIBLE_DEVICES="0,1,2,3,4,5,6,7")
        | {"variant": "rocm", "kind": "manual", "ray": {"version": "2.45.0"}},
        ["MN225"],
    ),
    "ROCR with an old Ray": (
        env(ROCR_VISIBLE_DEVICES="0,1,2,3,4,5,6,7")
        | {"variant": "rocm", "kind": "manual", "ray": {"version": "2.44.1"}},
        [],
    ),
    "a service's own ids": (
        {"services": {"a": {"command": ["s"], "gpus": 1, "env": {"CUDA_VISIBLE_DEVICES": "0"}}}},
        ["MN226"],
    ),
    "ids of a service without GPUs": (
        {"services": {"a": {"command": ["s"], "env": {"CUDA_VISIBLE_DEVICES": "3"}}}},
        ["MN226"],
    ),
    "ids of a service that shares Ray's GPUs": (
        {"services": {"a": {"command": ["s"], "shares_gpus": True, "env": {"CUDA_VISIBLE_DEVICES": "3"}}}},
        [],
    ),
    "a service that is to see no GPU": (
        {"services": {"a": {"command": ["s"], "env": {"CUDA_VISIBLE_DEVICES": ""}}}},
        [],
    ),
    "too few ids": (env(CUDA_VISIBLE_DEVICES="0,1,2,4"), ["MN226"]),
    "an id twice": (env(CUDA_VISIBLE_DEVICES="0,1,2,3,4,5,6,6"), ["MN226"]),
    "fixed ids under Slurm": (env(CUDA_VISIBLE_DEVICES="0,1,2,3,4,5,6,7"), ["MN226w"]),
    "fixed ids by hand": (env(CUDA_VISIBLE_DEVICES="0,1,2,3,4,5,6,7") | {"kind": "manual"}, []),
    "ids known on the node": (env(CUDA_VISIBLE_DEVICES="${{ env.MINE }}"), []),
    "all of NVIDIA's": (env(NVIDIA_VISIBLE_DEVICES="all"), []),
    "switch that is on": (env(RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES="0"), ["MN227"]),
    "switch that is meant": (env(RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES="1"), []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


HINTS = {
    ("slurm", "mi300xl"): "did you mean mi300x or mi300 or mi350x? the site's own spelling of a Slurm GRES goes to ",
    ("skypilot", "a100-90gb"): "did you mean a100-80gb or a100-80gb-sxm or a100? `sky show-gpus -a` lists",
    ("skypilot", "rtx-4090"): "did you mean rtx4090",
    ("skypilot", "nonsense"): "`sky show-gpus -a` lists what clouds have",
    ("dstack", "nonsense"): "`dstack offer` lists what there is",
    ("manual", "nonsense"): "right if the GPU is called so",
}


@pytest.mark.parametrize(("kind", "name"), HINTS)
def test_the_hint_is_the_targets_own(findings, kind, name):
    (found,) = [one for one in findings(**gpu(name, kind=kind)) if one.code == "MN217"]
    assert found.hint.startswith(HINTS[kind, name])
    assert kind == "slurm" or "Slurm" not in found.hint


@pytest.mark.parametrize("name", accelerators("skypilot"))
def test_every_name_of_the_catalogue_is_one_and_stays(name):
    for spelled in (name, name.lower(), name.replace("-", "_")):
        assert in_catalogue(spelled)
        assert skypilot(spelled, None).lower() == name.lower()


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("a100-80", "A100-80GB"),
        ("a100_80gb", "A100-80GB"),
        ("A100-80G", "A100-80GB"),
        ("a100-40", "A100"),
        ("v100_32", "V100-32GB"),
        ("h100_80gb", "H100"),
        ("h200-141gb", "H200"),
    ],
)
def test_a_models_memory_in_any_spelling(spelled, expected):
    assert skypilot(spelled, None) == expected


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("a100-80", ("A100", "80GB")),
        ("a100_80gb", ("A100", "80GB")),
        ("h200-141gb", ("H200", "141GB")),
        ("v100_32", ("V100", "32GB")),
        ("h100_sxm", ("H100", None)),
        ("rtx-4090", ("RTX-4090", None)),
    ],
)
def test_a_models_memory_on_dstack(spelled, expected):
    assert dstack(spelled) == expected
