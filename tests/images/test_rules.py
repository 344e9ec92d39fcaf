"""What a description must not ask for, each with its own code."""

from __future__ import annotations

import pytest
from described import BASES, FRAME, codes

from mngen.manifest.base_image import lacks_python, parse_reference, python_version, toolkit_version
from mngen.manifest.load import LoadOptions, load


def test_nothing_wrong():
    assert codes() == []


@pytest.mark.parametrize(
    "repository", ["registry.example.org/RL/verl", "registry.example.org/rl/verl:1", "a//b", "x@y"]
)
def test_repository(repository):
    assert codes(repository=f"'{repository}'") == ["MN801"]


@pytest.mark.parametrize(
    "repository", ["verl", "rl/verl", "localhost:5000/a/b", "10.0.0.1:5000/a_b", "Reg.Example.org/a"]
)
def test_good_repository(repository):
    assert codes(repository=repository) == []


@pytest.mark.parametrize("tag", ["latest", "a b", "-x", "x" * 129, "a:b"])
def test_tag(tag):
    assert codes(tag=tag) == ["MN801"]


def test_one_tag_for_two_variants():
    text = FRAME.format(
        repository="r.example.org/a",
        variant="cuda",
        tag="1",
        base=BASES["cuda"],
        own="",
        common="",
    ).replace("driver:", f'    rocm: {{tag: "1", base: "{BASES["rocm"]}"}}\ndriver:')
    text = text.replace("  \n    rocm", "    rocm")
    assert [d.code for d in load(text, "m.yaml", LoadOptions(read=lambda _: "")).diagnostics] == ["MN801"]


@pytest.mark.parametrize(
    "base",
    [
        "nvidia/cuda",
        "nvidia/cuda:latest",
        "$BASE",
        "${REGISTRY}/x:1",
        "a:1 AS b",
        "A/b:1",
        "docker://a:1",
        "x@sha256:12",
    ],
)
def test_base(base):
    assert "MN802" in codes(base=base)


@pytest.mark.parametrize("base", ["ubuntu@sha256:" + "a" * 64, "r.example.org:5000/a/b:1@sha256:" + "a" * 64])
def test_good_base(base):
    assert codes(base=base) == []


WITHOUT_BASH = [
    *("alpine:3.20", "docker.io/library/alpine:3.20", "library/busybox:1.36", "busybox:1.36-glibc"),
    *("alpine@sha256:" + "a" * 64, "public.ecr.aws/docker/library/alpine:3", "mirror.gcr.io/library/busybox:1"),
    *("gcr.io/distroless/python3-debian12:nonroot", "gcr.io/distroless/base-debian12:debug"),
    *("python:3.12-alpine", "golang:1.23-alpine3.20", "node:22.1-alpine", "rust:1-alpine3.20", "ruby:alpine"),
]
WITH_BASH = [
    *("debian:12", "ubuntu:24.04", "registry.access.redhat.com/ubi9/ubi:9.4", "rockylinux:9", "python:3.12-slim"),
    *("r.example.org/team/alpine:3", "team/busybox:1", "alpine/git:2.45", "r.example.org/alpine-with-bash:1"),
    "golang:1.23",
]


@pytest.mark.parametrize("base", WITHOUT_BASH)
def test_base_without_bash(base):
    assert codes(base=base) == ["MN817"]
    stage = f"{{name: tools, base: '{base}', %s}}"
    assert codes(f"stages: [{stage % 'apt: [make]'}]") == ["MN817"]
    assert codes(f"stages: [{stage % 'steps: [make]'}]") == ["MN817"]


@pytest.mark.parametrize("base", WITH_BASH)
def test_base_that_may_have_bash(base):
    assert codes(base=base) == []
    assert codes(f"stages: [{{name: tools, base: '{base}', steps: [make]}}]") == []


def test_a_base_of_nothing_needs_no_tag():
    assert codes(base="scratch") == ["MN817"]


COPIED = "files: [{source: /bin/busybox, target: /opt/busybox, from: tools}]"


@pytest.mark.parametrize("more", ["", "env: {A: b}"])
def test_a_stage_that_runs_nothing_needs_no_bash(more):
    stage = f"{{name: tools, base: 'busybox:1.36', {more}}}"
    assert codes(f"{COPIED}\n  stages: [{stage}]") == []


@pytest.mark.parametrize(
    ("copied", "fields", "expected"),
    [
        ("{source: a, target: /a}", "apptainer: false", []),
        ("{source: a, target: /a}", "builder: classic\n  apptainer: false", []),
        ("{source: a, target: /a}", "apptainer: true", ["MN817"]),
        ("{source: a, target: /b/a, mode: '0755'}", "apptainer: false", ["MN817"]),
    ],
)
def test_a_stage_that_copies_runs_what_a_builder_cannot_do(copied, fields, expected):
    common = f"stages: [{{name: tools, base: 'busybox:1.36', files: [{copied}]}}]\n  {fields}"
    assert codes(common) == expected


def test_missing_base_and_tag():
    text = FRAME.format(repository="r.example.org/a", variant="cuda", tag="1", base="x:1", own="", common="")
    text = text.replace('{tag: "1", base: "x:1", }', "{}")
    assert [d.code for d in load(text, "m.yaml", LoadOptions(read=lambda _: "")).diagnostics] == ["MN801", "MN802"]


@pytest.mark.parametrize(
    "name",
    [
        *("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "RAY_ADDRESS", "RAY_DEBUG", "MASTER_ADDR", "MASTER_PORT"),
        *("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"),
        *(
            "VLLM_HOST_IP",
            "SLURM_JOB_ID",
            *("NCCL_IB_HCA", "NCCL_NET", "FI_PROVIDER"),
            "RAY_EXPERIMENTAL_NOSET_HIP_VISIBLE_DEVICES",
            "APPTAINERENV_X",
        ),
    ],
)
def test_cluster_variables(name):
    assert codes(f"env: {{image: {{{name}: x}}}}") == ["MN803"]


def test_variables_of_the_build_are_the_users_own():
    assert codes("env: {build: {NCCL_SOCKET_IFNAME: x, RAY_INSTALL_JAVA: 1}}") == []


@pytest.mark.parametrize(
    "common",
    [
        "env: {image: {PATH: /x}}",
        "env: {image: {A: x}, prepend: {A: [/x]}}",
        'env: {image: {TORCH_CUDA_ARCH_LIST: "9.0"}}\n  gpu_arch: ["9.0"]',
        "env: {image: {PIP_CONSTRAINT: /x}}\n  pip: {constraints: [c.txt]}",
        "env: {build: {VIRTUAL_ENV: /x}}\n  venv: /opt/venv",
        "env: {build: {A: x}, prepend: {A: [/x]}}",
        "env: {build: {PATH: /x}, prepend: {PATH: [/x]}}",
        "env: {build: {PATH: /x}}\n  venv: /opt/venv",
        "env: {build: {PATH: /x}}\n  system_python: true",
    ],
)
def test_variables_set_twice(common):
    assert codes(common) == ["MN804"]


def test_a_path_of_the_build_alone():
    assert codes("env: {build: {PATH: /x}}") == []
    assert codes("env: {build: {PATH: /x}}\n  venv: none\n  system_python: true") == []


@pytest.mark.parametrize("where", ["env: {{image: {{A: {}}}}}", "env: {{build: {{A: {}}}}}", "labels: {{a: {}}}"])
def test_values_that_a_dockerfile_cannot_hold(where):
    assert codes(where.format('"a\\nb"')) == ["MN805"]
    assert codes(where.format('"a\\tb"')) == []


def test_steps_that_neither_file_can_hold():
    assert codes('steps: ["a\\rb"]') == ["MN805"]


@pytest.mark.parametrize(
    ("variant", "base", "arch", "expected"),
    [
        ("cuda", "nvidia/cuda:12.4.1-devel-ubuntu22.04", "10.0", ["MN806"]),
        ("cuda", "nvidia/cuda:12.8.1-devel-ubuntu24.04", "10.0", []),
        ("cuda", "nvidia/cuda:12.8.1-devel-ubuntu24.04", "9.0a", []),
        ("cuda", "nvidia/cuda:12.8.1-devel-ubuntu24.04", "gfx942", ["MN806"]),
        ("cuda", "example.org/x:1", "12.0", []),
        ("rocm", "rocm/dev-ubuntu-22.04:6.2-complete", "gfx950", ["MN806"]),
        ("rocm", "example.org/x:rocm7.14", "gfx950", []),
        ("rocm", "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10", "9.0", ["MN806"]),
        ("rocm", "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10", "gfx942:xnack-", []),
    ],
)
def test_architectures(variant, base, arch, expected):
    assert codes(own=f'gpu_arch: ["{arch}"]', variant=variant, base=base) == expected


def test_toolkit_field_tells_where_the_tag_does_not():
    assert codes(own='gpu_arch: ["10.0"], toolkit: "12.4"', base="example.org/x:1") == ["MN806"]


@pytest.mark.parametrize(
    "files",
    [
        "{source: ../x, target: /x}",
        "{source: /x, target: /x}",
        "{source: ., target: /x}",
        "{source: d/, target: /x, mode: '0644'}",
        "{source: /x, target: /x, from: nothing}",
        "{source: x, target: /a/../b}",
        "{source: x, target: /a, from: tools}",
    ],
)
def test_copies(files):
    stages = "\n  stages: [{name: tools, base: 'debian:12'}]" if "tools" in files else ""
    assert codes(f"files: [{files}]{stages}") == ["MN807"]


def test_constraints_outside():
    assert codes("pip: {constraints: [/etc/c.txt]}") == ["MN807"]


@pytest.mark.parametrize("path", ['"/a b"', "'/a$x'", "'/a*'", "'/ü'"])
def test_paths_in_the_schema(path):
    assert codes(f"workdir: {path}") == ["MN104"]


def test_paths_with_placeholders():
    text = FRAME.format(
        repository="r.example.org/a", variant="cuda", tag="1", base="x:1", own="", common='workdir: "/${{ vars.d }}"'
    )
    text = text.replace("name: x", "name: x\nvars: {d: 'a b'}")
    assert [d.code for d in load(text, "m.yaml", LoadOptions(read=lambda _: "")).diagnostics] == ["MN104"]


def test_stage_names():
    assert codes("stages: [{name: a, base: 'x:1'}, {name: a, base: 'x:2'}]") == ["MN808"]


def test_secrets_of_the_classic_builder():
    assert codes("secrets: [netrc]\n  builder: classic") == ["MN809"]
    assert codes("steps: [{run: x, secrets: [netrc]}]\n  builder: classic") == ["MN809"]
    assert codes("steps: [{run: x, secrets: [netrc]}]\n  builder: podman") == []


@pytest.mark.parametrize(
    "common",
    [
        "pip: {index_url: 'https://me:pass1@wheels.example.org/simple'}",
        "git: [{url: 'https://me:pass1@git.example.org/x', ref: v1, path: /opt/x}]",
        "env: {build: {HF_TOKEN: hf_abcdefghijklmnopqrstuv0123}}",
        "env: {image: {API_KEY: k7d9s0a8f7g6h5j4k3l2}}",
        "steps: ['curl -H \"X: ghp_abcdefghijklmnopqrstuvwxyz0123456789\" x']",
    ],
)
def test_credentials(common):
    assert codes(common) == ["MN810"]


@pytest.mark.parametrize(
    ("base", "variant", "version"),
    [
        ("nvidia/cuda:12.8.1-devel-ubuntu24.04", "cuda", "12.8.1"),
        ("pytorch/pytorch:2.6.0-cuda12.4-cudnn9-devel", "cuda", "12.4"),
        ("slimerl/sglang:v0.5.15.post1-cu129", "cuda", "12.9"),
        ("slimerl/sglang:v0.5.15.post1-cu130", "cuda", "13.0"),
        ("nvcr.io/nvidia/pytorch:25.03-py3", "cuda", ""),
        ("rocm/pytorch:rocm7.2_ubuntu22.04_py3.10_pytorch_release_2.9.1", "rocm", "7.2"),
        ("rocm/dev-ubuntu-22.04:7.2.1-complete", "rocm", "7.2.1"),
        ("rocm/vllm:rocm6.4.1_vllm_0.9", "rocm", "6.4.1"),
        ("rocm/primus:v26.4", "rocm", ""),
        ("nvidia/cuda:12.8.1-devel-ubuntu24.04", "rocm", ""),
    ],
)
def test_toolkit_of_a_base(base, variant, version):
    assert toolkit_version(base, variant) == version


def test_python_of_a_base():
    assert python_version("rocm/pytorch:rocm7.2_ubuntu22.04_py3.10_pytorch_release_2.9.1") == "3.10"
    assert python_version("nvcr.io/nvidia/pytorch:25.03-py3") == ""
    assert lacks_python("nvidia/cuda:12.8.1-devel-ubuntu24.04")
    assert lacks_python("nvcr.io/nvidia/cuda:12.8.1-devel-ubuntu24.04")
    assert lacks_python("rocm/dev-ubuntu-22.04:7.2.1-complete")
    assert lacks_python("ubuntu@sha256:" + "0" * 64)
    assert not lacks_python("rocm/pytorch:rocm7.2")
    assert not lacks_python("example.org/ubuntu-torch:1")


def test_reference_parts():
    found = parse_reference("r.example.org:5000/a/b:1@sha256:" + "a" * 64)
    assert (found.name, found.tag, found.digest) == ("r.example.org:5000/a/b", "1", "sha256:" + "a" * 64)
    assert parse_reference("localhost:5000/a:x").name == "localhost:5000/a"
