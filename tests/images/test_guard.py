"""The torch guard, run as it is inside an image, over made-up package metadata."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from image_cases import CUDA

from mngen.images import guard


@pytest.fixture
def image(tmp_path):
    """A folder that stands for an image's /etc/mngen and site-packages."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/constraints.txt").write_text("ray==2.52.1\n")
    program = "\n".join(guard.program()).replace("/etc/mngen", str(tmp_path / "etc")) + "\n"
    (tmp_path / "torch_guard.py").write_text(program)
    want(tmp_path)
    return tmp_path


def want(image, **facts):
    known = {"variant": "cuda", "toolkit": "12.8.1", "torch": "", "python": "", **facts}
    (image / "etc/torch-wanted.json").write_text(json.dumps(known))


def install(image, version, cuda="12.8", hip=None):
    for old in image.glob("site/torch*"):
        for file in old.iterdir():
            file.unlink()
        old.rmdir()
    info = image / f"site/torch-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")
    package = image / "site/torch"
    package.mkdir()
    quoted = {name: "None" if value is None else f"'{value}'" for name, value in (("cuda", cuda), ("hip", hip))}
    (package / "version.py").write_text(
        "from typing import Optional\n"
        f"__version__ = '{version}'\ndebug = False\ncuda: Optional[str] = {quoted['cuda']}\n"
        f"git_version = 'x'\nhip: Optional[str] = {quoted['hip']}\n"
    )


def check(image, layer="pip packages"):
    ran = subprocess.run(
        [sys.executable, "-S", str(image / "torch_guard.py"), layer],
        env={"PYTHONPATH": str(image / "site")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == ""
    assert "Traceback" not in ran.stderr
    return ran.returncode, ran.stderr.strip()


def test_no_torch_is_fine(image):
    assert check(image) == (0, "")
    assert not (image / "etc/torch.json").exists()


def test_the_first_torch_is_kept_and_pinned(image):
    install(image, "2.9.1+cu128")
    assert check(image, "base image") == (0, "")
    assert check(image) == (0, "")
    assert (image / "etc/constraints.txt").read_text() == "ray==2.52.1\ntorch==2.9.1\n"


@pytest.mark.parametrize("version", ["2.9.1+cu126", "2.10.0+cu128", "2.9.1"])
def test_a_layer_that_replaces_torch_is_named(image, version):
    """B129."""
    install(image, "2.9.1+cu128")
    check(image, "base image")
    install(image, version)
    status, said = check(image, "git verl")
    assert status == 1
    assert said == (
        f"mngen: layer 'git verl' replaced torch: it was 2.9.1+cu128 (CUDA 12.8), now it is {version} (CUDA 12.8)"
    )


def test_same_version_of_another_cuda_is_found(image):
    install(image, "2.9.1", cuda="12.8")
    check(image, "base image")
    install(image, "2.9.1", cuda="13.0")
    assert check(image)[0] == 1


def test_a_layer_that_removes_torch_is_named(image):
    install(image, "2.9.1+cu128")
    check(image, "base image")
    for old in image.glob("site/torch*"):
        old.rename(image / f"gone-{old.name}")
    assert "now it is none" in check(image, "step clean")[1]


@pytest.mark.parametrize(
    ("facts", "torch", "reason"),
    [
        ({}, {"version": "2.9.1+rocm7.2", "cuda": None, "hip": "7.2.5"}, "not built for cuda"),
        ({}, {"version": "2.9.1+cpu", "cuda": None}, "not built for cuda"),
        ({}, {"version": "2.9.1+cu130", "cuda": "13.0"}, "(CUDA 13.0), but the base has 12.8.1"),
        ({"variant": "rocm", "toolkit": "7.2"}, {"version": "2.9.1", "cuda": "12.8"}, "not built for rocm"),
        (
            {"variant": "rocm", "toolkit": "7.14"},
            {"version": "2.9", "cuda": None, "hip": "7.2.5"},
            "(HIP 7.2.5), but the base has 7.14",
        ),
        ({"torch": "2.9.1"}, {"version": "2.9.0+cu128"}, "the manifest asks for 2.9.1"),
    ],
)
def test_a_torch_of_the_wrong_kind_is_refused(image, facts, torch, reason):
    want(image, **facts)
    install(image, **torch)
    status, said = check(image, "torch")
    assert status == 1
    assert said.startswith(f"mngen: layer 'torch' brought torch {torch['version']} (")
    assert reason in said


@pytest.mark.parametrize(
    ("facts", "torch"),
    [
        ({"toolkit": "12.8.1"}, {"version": "2.7.1+cu126", "cuda": "12.6"}),
        ({"toolkit": ""}, {"version": "2.9.1+cu130", "cuda": "13.0"}),
        ({"torch": "2.9.1"}, {"version": "2.9.1+cu128"}),
        ({"variant": "rocm", "toolkit": "7.2.1"}, {"version": "2.9.1", "cuda": None, "hip": "7.2.53211-e1a6bc5663"}),
    ],
)
def test_a_torch_that_fits_is_taken(image, facts, torch):
    want(image, **facts)
    install(image, **torch)
    assert check(image, "torch") == (0, "")


def test_python_of_another_version_is_named(image):
    want(image, python="3.8")
    assert "runs Python 3." in check(image)[1]
    want(image, python=".".join(map(str, sys.version_info[:2])))
    assert check(image) == (0, "")


def test_program_can_stand_in_both_files():
    """No line may mean something to Apptainer, and ``print`` must not hide what pip says."""
    for line in guard.program():
        assert "{{" not in line
        assert not line.lstrip().startswith("%")
        assert line != "EOF"


def test_wanted():
    facts = json.loads(guard.wanted(CUDA))
    assert facts == {"variant": "cuda", "toolkit": "12.8.1", "torch": "2.9.1", "python": "3.12"}
