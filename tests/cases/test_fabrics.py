"""Each fabric on each runtime and for each vendor: what the files have, by the table of fabrics."""

from __future__ import annotations

from typing import Any

import pytest
from plain import files

from mngen.manifest.fabrics import FABRICS

READY: dict[str, dict[str, Any]] = {
    "none": {},
    "apptainer": {"runtime": "apptainer", "image": {"sif": "/image.sif"}},
    "docker": {"runtime": "docker", "image": {"ref": "verl:1"}, "resources": {"shm": "1G"}},
    "podman": {"runtime": "podman", "image": {"ref": "verl:1"}, "resources": {"shm": "1G"}},
    "pyxis": {"runtime": "pyxis", "image": {"ref": "verl:1"}},
}
BASES = {"cuda": "nvidia/cuda:12.8.1-devel-ubuntu24.04", "rocm": "rocm/dev-ubuntu-24.04:6.4.1"}


def job(runtime: str, variant: str = "cuda", **fields: Any) -> str:
    """The batch file of a job on one runtime."""
    target = {"kind": "slurm", "variant": variant, **READY[runtime]}
    return files(targets={"job": target}, **fields)["job/job.sbatch"]


def image(variant: str, **network: Any) -> dict[str, str]:
    """The files of a described image, by name."""
    described = {"repository": "r", "variants": {variant: {"tag": "1", "base": BASES[variant]}}}
    target = {"kind": "slurm", "runtime": "docker", "variant": variant, "resources": {"shm": "1G"}}
    found = files(partial=False, targets={"job": target}, image=described, network=network)
    return {path.rpartition("/")[2]: text for path, text in found.items() if path.startswith("images/")}


@pytest.mark.parametrize("variant", BASES)
@pytest.mark.parametrize("runtime", READY)
@pytest.mark.parametrize("name", FABRICS)
def test_the_job_has_what_its_fabric_needs(name: str, runtime: str, variant: str) -> None:
    row = FABRICS[name]
    text = job(runtime, variant, network={"fabric": name}, resources={"nodes": 2, "gpus": 8})
    for variable, value in (("NCCL_NET", row.net), *row.env):
        assert text.count(f'  export {variable}="${{{variable}:-{value}}}"\n') == 1
    for device in row.devices:
        assert (f"--device {device} " in text) == (runtime in {"docker", "podman"})
        assert (f",{device}:{device}" in text) == (runtime == "pyxis")
    assert text.count("\ncheck_fabric() {") == text.count("\n  check_fabric\n") == int(bool(row.check))
    raised = "--ulimit memlock=-1:-1" if runtime in {"docker", "podman"} else "set_limit -l unlimited"
    assert (raised in text) == row.memlock
    assert (f" LINK_LAYER={row.link_layer}" in text) == bool(row.link_layer)


@pytest.mark.parametrize("runtime", READY)
def test_no_fabric_no_line(runtime: str) -> None:
    text = job(runtime)
    for word in ("NCCL_NET", "check_fabric", "infiniband", "memlock", "FI_", "set_limit"):
        assert word not in text.replace("NCCL_NET_", "")


def test_a_limit_of_the_manifest_stays() -> None:
    text = job("none", network={"fabric": "ib"}, ulimits={"memlock": 1024})
    assert "set_limit -l 1024\n" in text
    assert "set_limit -l unlimited" not in text


@pytest.mark.parametrize("variant", BASES)
@pytest.mark.parametrize("name", FABRICS)
def test_the_image_has_what_its_fabric_needs(name: str, variant: str) -> None:
    row, plain, found = FABRICS[name], image(variant), image(variant, fabric=name)
    (definition,) = [path for path in found if path.endswith(".def")]
    for path in ("Dockerfile", definition):
        added = set(found[path].splitlines()) - set(plain[path].splitlines())
        assert not [line for line in plain[path].splitlines() if "ibverbs" in line]
        words = " ".join(added).split()
        assert [package for package in row.packages if package not in words] == []
        assert not row.probe or row.probe in added
    if not row.packages and not row.probe:
        assert found == plain


def test_the_digest_in_the_job_is_the_images() -> None:
    described = {"repository": "r", "variants": {"cuda": {"tag": "1", "base": BASES["cuda"]}}}
    one = {"kind": "slurm", "runtime": "docker", "resources": {"shm": "1G"}}
    both = {"a": {**one, "network": {"fabric": "ib"}}, "b": {**one, "network": {"fabric": "efa"}}}
    found = files(partial=False, targets=both, image=described)
    (digest,) = [line.partition("=")[2] for line in found["a/job.sbatch"].splitlines() if "IMAGE_DIGEST=" in line]
    assert digest in found["b/job.sbatch"]
    assert digest in found["images/cuda/Dockerfile"]
    assert FABRICS["efa"].probe in found["images/cuda/Dockerfile"]
    assert FABRICS["ib"].probe in found["images/cuda/Dockerfile"]


def test_every_row_names_its_sources() -> None:
    assert all(row.sources and all(source.startswith("https://") for source in row.sources) for row in FABRICS.values())
