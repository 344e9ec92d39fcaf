"""Packages and Python of an image: what is refused, and that the version is compared before anything is fetched."""

from __future__ import annotations

import subprocess
import sys

import pytest
from described import codes
from image_cases import CUDA
from msgspec.structs import replace

from mngen.images.order import recipe
from mngen.images.recipe import Commands, PipInstall
from mngen.manifest.image import Image


def test_packages():
    assert codes("pip: {packages: [ray==2.51.0, 'ray[default]==2.52.1']}") == ["MN811"]
    assert codes("pip: {packages: [Hf-Transfer==1, hf_transfer==2]}") == ["MN811"]
    assert codes("pip: {packages: ['torch==2.9.1+cu128']}\n  torch: {version: 2.9.1}") == []
    assert codes("pip: {packages: [torch==2.8.0]}\n  torch: {version: 2.9.1}") == ["MN811"]


# A requirement is one word for pip: a name, extras, versions, a marker.
NO_REQUIREMENTS = (
    *(
        "vllm<0.9  # tested",
        "flash-attn==2.8.3 --no-build-isolation",
        "a -i https://h",
        "x @ https://h/x.whl --no-deps",
    ),
    *("ray vllm", "vllm=0.9", "torch 2.9.1", "a==1 b==2", "a>=1 <2", "a[b", "a==1,,b"),
)
REQUIREMENTS = (
    *("ray[default,serve]==2.52.1", "a", "a >= 1, < 2", "a (>=1,<2)", "a~=1.0", "a==1.*", "a==2.9.1+cu128", "a===x"),
    *("a; python_version < '3.12'", "a[b]>=1 ; sys_platform == 'linux' and extra == '-x'", "x @ git+https://h/x@v1"),
    *("git+https://h/x@v1#egg=x", "https://h/x-1-py3-none-any.whl", "./wheels/x.whl", ".[dev]", "file:///x.whl"),
)


@pytest.mark.parametrize(
    "field",
    ["pip: {packages: [%s]}", "pip: {no_build_isolation: [%s]}", "torch: {wheel_index: https://w/whl, packages: [%s]}"],
)
def test_requirements(field):
    assert [text for text in NO_REQUIREMENTS if codes(field % f'"{text}"') != ["MN812"]] == []
    assert [text for text in REQUIREMENTS if codes(field % f'"{text}"')] == []


@pytest.mark.parametrize(
    ("base", "python", "expected"),
    [
        ("nvidia/cuda:12.8.1-devel-ubuntu22.04", "3.11", ["MN816"]),
        ("nvidia/cuda:12.8.1-devel-ubuntu22.04", "3.10", []),
        ("nvidia/cuda:12.8.1-devel-ubuntu24.04", "3.12.3", []),
        ("ubuntu:jammy", "3.12", ["MN816"]),
        ("debian:12.12-slim", "3.10", ["MN816"]),
        ("debian:12.12", "3.11", []),
        ("debian:bookworm-slim", "3.10", ["MN816"]),
        ("r.example.org/x:ubuntu22.04", "3.11", []),
        ("nvidia/cuda:12.8.1-devel-ubuntu26.10", "3.11", []),
    ],
)
def test_python_of_the_distribution(base, python, expected):
    assert codes(f'python: "{python}"\n  pip: {{packages: [x]}}', base=base) == expected
    assert codes("pip: {packages: ['x @ https://example.org/x.whl#sha256=ab']}") == []


def test_moving_sources():
    source = "git: [{{url: 'https://git.example.org/x', ref: {}, path: /opt/x}}]"
    assert codes(source.format("main")) == ["MN813"]
    assert codes(source.format("v0.6.0")) == []


def test_wheel_index_needs_a_version():
    torch = "torch: {wheel_index: 'https://wheels.example.org/torch'}"
    assert codes(torch, base="example.org/x:1") == ["MN814"]
    assert codes(torch, own='toolkit: "12.8"', base="example.org/x:1") == []


def test_checkouts():
    assert codes("git: [{url: 'https://git.example.org/x', ref: v1, path: /opt}]") == ["MN815"]
    two = "{url: 'https://git.example.org/x', ref: v1, path: /opt/x}"
    assert codes(f"git: [{two}, {two.replace('/x}', '/x/}')}]") == ["MN815"]


def version_check(image: Image) -> tuple[str, ...]:
    (layer,) = (
        layer for layer in recipe(image).final.layers if isinstance(layer, Commands) and layer.origin == "python"
    )
    return layer.commands[0].lines[0]


def test_python_is_compared_before_packages_are_fetched():
    layers = recipe(CUDA).final.layers
    kinds = [layer.origin if isinstance(layer, Commands) else type(layer) for layer in layers]
    assert kinds.index("python") < kinds.index(PipInstall)
    asked = {"here": "{}.{}".format(*sys.version_info[:2]), "exactly": "{}.{}.{}".format(*sys.version_info[:3])}
    for version in asked.values():
        program = version_check(replace(CUDA, python=version))
        assert subprocess.run([sys.executable, *program[1:]], check=False).returncode == 0
    other = subprocess.run(
        [sys.executable, *version_check(replace(CUDA, python="3.1"))[1:]], check=False, capture_output=True, text=True
    )
    assert other.returncode == 1
    assert other.stderr.endswith("; the manifest asks for 3.1\n")


def test_what_sees_torch_comes_after_the_packages():
    installs = [layer for layer in recipe(CUDA).final.layers if isinstance(layer, PipInstall)]
    fields = [layer.origin for layer in installs]
    assert fields == ["torch", "pip.packages", "pip.no_build_isolation", "git.0"]
    assert [layer.origin for layer in installs if ("--no-build-isolation",) in layer.lines] == [
        "pip.no_build_isolation"
    ]
    assert all(layer.guard for layer in installs)
