"""Mirrors: what is rewritten to which place, by our own rules, by sed, by git, and by the lock."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from image_cases import CUDA
from interpreter import differences
from msgspec.structs import replace

from mngen import render, targets
from mngen.images import apptainer, contract, dockerfile, fetching, pinning
from mngen.images.lock_file import Commit, Lock, Tag
from mngen.manifest.image import Stage, Step
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.mirrors import Mirrors

M = "https://m.example.org"
ALL = Mirrors(
    images={
        "docker.io": "m.example.org/hub",
        "nvcr.io/nvidia": "m.example.org/nv",
        "docker.io/rocm": "m.example.org/amd",
    },
    apt={"archive.ubuntu.com": "http://m.example.org/ubuntu", "deb.debian.org/debian": "http://m.example.org/debian/"},
    pip={"pypi.org/simple": f"{M}/root/pypi/+simple", "download.pytorch.org": f"{M}/torch", "pypi.org": f"{M}/pypi"},
    git={"github.com": f"{M}/github", "github.com/volcengine": f"{M}/verl"},
    files={"github.com": f"{M}/downloads", "example.org": "file:///mirror"},
    huggingface=f"{M}/hf/",
)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("debian:12", "m.example.org/hub/library/debian:12"),
        ("nvidia/cuda:12.8", "m.example.org/hub/nvidia/cuda:12.8"),
        ("docker.io/debian", "m.example.org/hub/library/debian"),
        ("rocm/vllm@sha256:" + "a" * 64, "m.example.org/amd/vllm@sha256:" + "a" * 64),
        ("rocmx/vllm:1", "m.example.org/hub/rocmx/vllm:1"),
        ("nvcr.io/nvidia/pytorch:25.09-py3", "m.example.org/nv/pytorch:25.09-py3"),
        ("nvcr.io/other/x:1", "nvcr.io/other/x:1"),
        ("localhost:5000/x:1", "localhost:5000/x:1"),
        ("no reference", "no reference"),
    ],
)
def test_images(name: str, place: str) -> None:
    assert ALL.image(name) == place
    assert Mirrors().image(name) == name


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("git clone https://github.com/x/y /src", f"git clone {M}/github/x/y /src"),
        ("git clone --depth 1 \\\n  https://github.com/x/y", f"git clone --depth 1 \\\n  {M}/github/x/y"),
        ("git clone git@github.com:volcengine/verl.git", f"git clone {M}/verl/verl.git"),
        ("git clone https://user@github.com/x/y", f"git clone {M}/github/x/y"),
        ("x https://github.com/x/y.git@main", f"x {M}/github/x/y.git@main"),
        ("verl @ git+https://github.com/volcengine/verl@v1", f"verl @ git+{M}/verl/verl@v1"),
        ("pip install git+ssh://git@github.com/x/y", f"pip install git+{M}/github/x/y"),
        ("git fetch; curl https://github.com/x/y.tgz", f"git fetch; curl {M}/downloads/x/y.tgz"),
        ("git fetch\ncurl https://github.com/x/y.tgz", f"git fetch\ncurl {M}/downloads/x/y.tgz"),
        ("pip install -i https://pypi.org/simple x", f"pip install -i {M}/root/pypi/+simple x"),
        ("curl 'https://pypi.org/pypi/x/json'", f"curl '{M}/pypi/pypi/x/json'"),
        ('"https://download.pytorch.org/whl/cu128"', f'"{M}/torch/whl/cu128"'),
        ("https://huggingface.co/a/b/resolve/main/c", f"{M}/hf/a/b/resolve/main/c"),
        ("wget https://example.org", "wget file:///mirror"),
        (
            "docker://debian:12 docker://nvcr.io/nvidia/x",
            "docker://m.example.org/hub/library/debian:12 docker://m.example.org/nv/x",
        ),
        ("https://github.com.evil.org/x", "https://github.com.evil.org/x"),
        ("https://github.com:8443/x", "https://github.com:8443/x"),
        ("https://notgithub.com/x s3://github.com/x", "https://notgithub.com/x s3://github.com/x"),
        ("me@example.net:folder mail@github.com", "me@example.net:folder mail@github.com"),
        ("http://127.0.0.1:8000/github.com/x", "http://127.0.0.1:8000/github.com/x"),
    ],
)
def test_text(text: str, found: str) -> None:
    assert ALL.text(text) == found
    assert Mirrors().text(text) == text


def test_variables_are_those_of_the_kinds_that_are_given() -> None:
    assert Mirrors(apt=ALL.apt, images=ALL.images).variables() == {}
    assert Mirrors(pip={"pypi.org": "http://m.example.org:81/pypi"}).variables() == {
        "PIP_INDEX_URL": "http://m.example.org:81/pypi/simple",
        "UV_DEFAULT_INDEX": "http://m.example.org:81/pypi/simple",
        "PIP_TRUSTED_HOST": "m.example.org:81",
    }
    assert Mirrors(huggingface=f"{M}/hf/").variables() == {"HF_ENDPOINT": f"{M}/hf", "HF_HUB_DISABLE_XET": "1"}
    assert "HF_ENDPOINT" not in ALL.variables(["HF_ENDPOINT"])
    assert ALL.git_variables(["GIT_CONFIG_COUNT"]) == {}


SOURCES = """\
deb http://archive.ubuntu.com/ubuntu/ jammy main
deb [arch=amd64] https://archive.ubuntu.com jammy main
deb http://de.archive.ubuntu.com/ubuntu jammy main
deb http://archive.ubuntu.com.example.net/ubuntu jammy main
URIs: http://archive.ubuntu.com/ubuntu/ http://deb.debian.org/debian http://deb.debian.org/debian-security
"""
REWRITTEN = """\
deb http://m.example.org/ubuntu/ubuntu/ jammy main
deb [arch=amd64] http://m.example.org/ubuntu jammy main
deb http://de.archive.ubuntu.com/ubuntu jammy main
deb http://archive.ubuntu.com.example.net/ubuntu jammy main
URIs: http://m.example.org/ubuntu/ubuntu/ http://m.example.org/debian http://deb.debian.org/debian-security
"""


@pytest.mark.parametrize("back_end", [dockerfile, apptainer])
def test_both_forms_of_package_sources_are_rewritten(back_end, tmp_path: Path) -> None:
    (tmp_path / "sources.list.d").mkdir()
    places = [tmp_path / "sources.list", tmp_path / "sources.list.d/ubuntu.sources"]
    for place in [*places, tmp_path / "other.txt"]:
        place.write_text(SOURCES)
    lines = back_end.text(replace(CUDA, mirrors=ALL)).split("\n")
    first = next(number for number, line in enumerate(lines) if "find /etc/apt" in line)
    last = next(number for number in range(first, len(lines)) if not lines[number].endswith("\\"))
    command = "\n".join(lines[first : last + 1]).replace("RUN ", "").replace("/etc/apt", str(tmp_path))
    subprocess.run(["bash", "-c", command], check=True)
    assert [place.read_text() for place in places] == [REWRITTEN] * 2
    assert (tmp_path / "other.txt").read_text() == SOURCES


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://github.com/x/y", f"{M}/github/x/y"),
        ("git@github.com:volcengine/verl", f"{M}/verl/verl"),
        ("ssh://git@github.com/x/y", f"{M}/github/x/y"),
        ("https://gitlab.example.org/x/y", "https://gitlab.example.org/x/y"),
    ],
)
def test_git_itself_follows_both_ways_of_telling_it(url: str, place: str, tmp_path: Path) -> None:
    (layer,) = fetching.git_configuration(replace(CUDA, mirrors=ALL))
    (tmp_path / "gitconfig").write_text("\n".join(layer.lines) + "\n")
    plain = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "0"}
    for told in ({"GIT_CONFIG_SYSTEM": str(tmp_path / "gitconfig")}, ALL.git_variables()):
        argv = ["git", "ls-remote", "--get-url", url]
        done = subprocess.run(argv, env=plain | told, check=True, capture_output=True, text=True, cwd=tmp_path)
        assert done.stdout.strip() == place


@pytest.mark.parametrize("builder", ["buildkit", "podman", "classic"])
def test_an_image_is_the_same_one_wherever_it_came_from(builder: str) -> None:
    step = Step(run="git clone https://github.com/x/y && curl -O https://example.org/z")
    plain = replace(
        CUDA, builder=builder, secrets=(), steps=(step,), stages=(Stage(name="t", base="debian:12", apt=("gcc",)),)
    )
    image = replace(plain, mirrors=ALL)
    assert contract.digest(image) == contract.digest(plain)
    assert contract.labels(image) == contract.labels(plain)
    assert differences(dockerfile.text(image), apptainer.text(image)) == []
    assert f"git clone {M}/github/x/y && curl -O file:///mirror/z" in dockerfile.text(image)


MANIFEST = """\
apiVersion: mngen/v1
name: job
resources: {shm: 1G}
image:
  repository: registry.example.org/rl/verl
  variants: {cuda: {tag: "1", base: "nvidia/cuda:12.8.1-devel-ubuntu24.04"}}
  git: [{url: "https://github.com/volcengine/verl", ref: main, path: /opt/verl}]
driver: {command: python3 train.py}
targets:
  a: {kind: slurm, runtime: docker, site: site.yaml}
  ready: {kind: slurm, runtime: podman, image: {ref: "rayproject/ray:2.52.1"}, site: site.yaml}
  other: {kind: slurm, runtime: podman, image: {ref: "rayproject/ray:2.52.1"}}
"""
SITE = """\
mirrors: {images: {docker.io: m.example.org/hub}, git: {github.com: "file:///mirror/github"}}
"""


def files(manifest) -> dict[str, str]:
    return {file.path: file.text for file in render.render(targets.plan(manifest), digest="").files}


def test_a_lock_knows_the_public_names_and_looks_them_up_at_the_mirror() -> None:
    loaded = load(MANIFEST, "m.yaml", LoadOptions(read=lambda _: SITE))
    ends = pinning.open_ends(loaded.manifest)
    assert [(one.name, one.url, one.place) for one in ends] == [
        (
            "nvidia/cuda:12.8.1-devel-ubuntu24.04",
            "",
            "m.example.org/hub/nvidia/cuda:12.8.1-devel-ubuntu24.04",
        ),
        ("main", "https://github.com/volcengine/verl", "file:///mirror/github/volcengine/verl"),
        ("rayproject/ray:2.52.1", "", "m.example.org/hub/rayproject/ray:2.52.1"),
    ]
    digest, commit = "sha256:" + "b" * 64, "c" * 40
    lock = Lock(
        tags={one.name: Tag(digest=digest, seen="2026-01-01") for one in ends if not one.url},
        git={(ends[1].url, "main"): Commit(commit=commit, seen="2026-01-01")},
    )
    found = files(pinning.pinned(loaded.manifest, lock))
    assert f"FROM m.example.org/hub/nvidia/cuda:12.8.1-devel-ubuntu24.04@{digest}" in found["images/cuda/Dockerfile"]
    assert f"fetch --quiet --depth 1 file:///mirror/github/volcengine/verl {commit}" in found["images/cuda/Dockerfile"]
    assert f"m.example.org/hub/rayproject/ray@{digest}" in found["ready/job.sbatch"]
    assert f"rayproject/ray@{digest}" in found["other/job.sbatch"]
    assert "m.example.org" not in found["other/job.sbatch"]


def test_an_image_for_two_sites_uses_what_the_top_level_says() -> None:
    two = MANIFEST.replace("  other:", "  b: {kind: slurm, runtime: docker}\n  other:")
    loaded = load(two, "m.yaml", LoadOptions(read=lambda _: SITE))
    found = files(loaded.manifest)
    assert "FROM nvidia/cuda" in found["images/cuda/Dockerfile"]
    assert "GIT_CONFIG_COUNT" in found["a/job.sbatch"]
    assert "GIT_CONFIG_COUNT" not in found["b/job.sbatch"]
    assert [note.message for note in targets.notes(loaded.manifest)] == []


def test_apt_trusts_the_certificates_of_the_build_and_can_read_them() -> None:
    stage = Stage(name="t", base="debian:12", apt=("gcc",))
    image = replace(CUDA, secrets=("ca-bundle",), stages=(stage,), mirrors=ALL)
    option = "apt-get -o Acquire::https::CAInfo=/run/secrets/ca-bundle"
    for text in (dockerfile.text(image), apptainer.text(image)):
        assert text.count(f"{option} update") == text.count(f"{option} install -y") == 2
    assert dockerfile.text(image).count("--mount=type=secret,id=ca-bundle,required=true,mode=0444") == 2
    assert differences(dockerfile.text(image), apptainer.text(image)) == []
    assert "CAInfo" not in dockerfile.text(replace(image, secrets=()))


def test_the_own_registry_may_have_a_mirror_for_those_who_pull() -> None:
    image = replace(CUDA, mirrors=Mirrors(images={"registry.example.org": "m.example.org/own"}))
    assert image.pulled == "m.example.org/own/rl/verl:0.6-cuda"
    assert image.reference == "registry.example.org/rl/verl:0.6-cuda"


CODE = """\
apiVersion: mngen/v1
name: job
driver: {command: python3 train.py}
image: {ref: "example.org/verl@sha256:%s"}
code: {git: "https://github.com/volcengine/verl", ref: v0.6.0, to: /code}
mirrors: {git: {github.com: "https://m.example.org/github"}}
resources: {gpus: 8, gpu_type: h100}
targets:
  sky: {kind: skypilot}
  fleet: {kind: dstack, resources: {gpu_memory: 80GB}}
""" % ("a" * 64)


def test_the_code_of_a_job_is_locked_too() -> None:
    manifest = load(CODE, "m.yaml").manifest
    (one,) = pinning.open_ends(manifest)
    assert (one.name, one.url, one.place) == (
        "v0.6.0",
        "https://github.com/volcengine/verl",
        f"{M}/github/volcengine/verl",
    )
    assert one.span.line == 5
    commit = "c" * 40
    lock = Lock(git={(one.url, one.name): Commit(commit=commit, seen="2026-01-01")})
    found = files(pinning.pinned(manifest, lock))
    for path in ("sky/task.sky.yaml", "fleet/task.dstack.yml"):
        assert f"{M}/github/volcengine/verl" in found[path]
        assert commit in found[path]
        assert "v0.6.0" not in found[path]
    assert pinning.notes(manifest, Lock())[0].message.endswith("v0.6.0 of https://github.com/volcengine/verl")
    assert pinning.notes(manifest, lock) == ()


def test_a_placeholder_may_stand_inside_of_a_url() -> None:
    manifest = load(
        "apiVersion: mngen/v1\nname: j\ndriver: {command: x}\n"
        "mirrors: {git: {github.com: 'https://m.example.org/github'}}\n"
        "setup: |\n  git clone https://github.com/${{ env.TEAM }}/x && git clone https://${{ env.ME }}@github.com/y/z\n"
        "env: {REPO: 'https://github.com/${{ env.TEAM }}/x.git'}\n"
        "targets: {a: {kind: slurm}}\n",
        "m.yaml",
    ).manifest
    found = files(manifest)["a/job.sbatch"]
    assert f'export REPO="{M}/github/${{TEAM}}/x.git"' in found
    assert f"git clone {M}/github/${{TEAM}}/x && git clone {M}/github/y/z" in found
