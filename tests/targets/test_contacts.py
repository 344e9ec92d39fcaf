"""No host remains beside the mirrors, in any file of any example; and what ``mngen urls`` lists is what files name.

The files are searched by rules of this test's own: what looks like a host, a URL, or an image of a registry.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from mngen import render, targets
from mngen.images.lock_file import read
from mngen.images.pinning import pinned
from mngen.manifest.load import LoadOptions, load
from mngen.targets import mirroring
from mngen.targets.contacts import contacts

ROOT = Path(__file__).resolve().parents[2] / "golden"
EXAMPLES = sorted(path.parent.name for path in ROOT.glob("*/manifest.yaml"))

KINDS = ("images", "apt", "pip", "git", "files", "huggingface")
MIRRORS = """\
mirrors:
  images: {docker.io: images.example.org/hub, nvcr.io: images.example.org/nv}
  apt:
    archive.ubuntu.com: http://apt.example.org/ubuntu
    security.ubuntu.com: http://apt.example.org/ubuntu-security
    deb.debian.org: http://apt.example.org/debian
    developer.download.nvidia.com: http://apt.example.org/nvidia
    repo.radeon.com: http://apt.example.org/radeon
  pip:
    pypi.org/simple: https://pip.example.org/simple
    download.pytorch.org: https://pip.example.org/torch
    repo.radeon.com: https://pip.example.org/radeon
    mirror.example.org: https://pip.example.org/other
    wheels.example.org: https://pip.example.org/wheels
  git: {github.com: https://git.example.org/github}
  files: {raw.githubusercontent.com: https://files.example.org/raw, github.com: https://files.example.org/github}
  huggingface: https://hub.example.org
"""
OF_THE_SITE = {f"{name}.example.org" for name in (*KINDS[:5], "hub")} | {"registry.example.org"}
"""Mirrors, and the registry that images are pushed to."""
BUCKETS = "*.amazonaws.com"
OWN = {"verl-dstack": {BUCKETS}}
"""What an example's own mounts name."""
WITHOUT_A_MIRROR = {"api.wandb.ai"}
"""What a job asks that the manifest sends nowhere else; WANDB_BASE_URL in env would."""

HOST = re.compile(r"(?<![\w.$\\@-])(?:[a-z0-9-]+\.)+(?:ai|cloud|co|com|dev|io|net|org)(?![\w.\\-])", re.IGNORECASE)
LOCAL = re.compile(r"https?://(?:127\.|localhost|\[?::1|0\.0\.0\.0)")
NAMES_ONLY = re.compile(
    r"insteadOf = |GIT_CONFIG_VALUE_|^LABEL |^\s*\"(?:base|reference)\": |printf '%s %s\\n' (?:org\.open|io\.mngen)"
    r"|nvidia\.com/gpu|\"mngen\.|ray_tmp"
)
"""Lines that say what something is called, or what is rewritten: nothing is fetched by them."""


@cache
def example(name: str, *, mirrored: bool):
    """The manifest of an example with its lock, and the texts of its files."""
    folder = ROOT / name

    def sibling(path: str) -> str:
        text = (folder / path).read_text()
        # The site files of examples have mirrors of their own, which the test's take the place of.
        return re.sub(r"(?ms)^mirrors:\n(?:[ #].*\n)*", "", text) + "env: {}\n" * ("env" not in text)

    text = re.sub(
        r"(?m)^    mirrors: (?:&mirrors.*\n(?:      .*\n)*|\*mirrors\n)", "", (folder / "manifest.yaml").read_text()
    )
    overlays = (("mirrors.yaml", MIRRORS),) if mirrored else ()
    loaded = load(text, "manifest.yaml", LoadOptions(read=sibling, overlays=overlays))
    assert loaded.manifest is not None, loaded.diagnostics
    lock = folder / "mngen.lock"
    manifest = pinned(loaded.manifest, read(lock.read_text(), "mngen.lock")) if lock.exists() else loaded.manifest
    tree = render.render(targets.plan(manifest), digest="")
    return manifest, {file.path: file.text for file in tree.files if file.path != "README.md"}


def code(text: str):
    """Lines without comments, and without those that only name things."""
    for line in text.split("\n"):
        if not re.match(r"\s*#", line) and not NAMES_ONLY.search(line):
            yield line


def images(line: str) -> list[str]:
    """Names of images in a line that takes one, without tag and digest."""
    found = re.findall(r"^(?:FROM|From:|image:) ([^\s]+)|image_id: docker:(\S+)|docker://([^\s'\"]+)", line)
    return [name for names in found for name in names if name]


def hosts(files: dict[str, str]) -> set[str]:
    found = set()
    for text in files.values():
        stages = set(re.findall(r" AS (\S+)", text))
        for line in code(text):
            found |= {host.lower() for host in HOST.findall(line)} | ({BUCKETS} if "s3://" in line else set())
            for name in set(images(line)) - stages:
                first = name.split("/")[0].split("#")[0]
                found.add(first if "." in first and "/" in name else "docker.io")
    return found


def pulled(manifest, path: str, text: str) -> str:
    """Return a target's file with its image as ``docker://…``, however its client is told; without one it never pulls."""
    target = next(target for target in mirroring.mirrored(manifest).targets if path.startswith(f"{target.name}/"))
    name = target.image.ref if target.image else None
    if not name or target.runtime.value == "prefix" or path.endswith((".yml", ".yaml")):
        return text
    return text.replace(name, "" if target.container.pull == "never" else f"docker://{name}").replace(
        "docker://docker", "docker"
    )


def listed(manifest, phase: str) -> set[str]:
    """Hosts that ``mngen urls`` lists for a phase because a field or a text names them, without what stands behind."""
    found = {one.host for one in contacts(manifest) if one.phase == phase and one.how != "default"}
    if "registry-1.docker.io" in found:
        found -= {"registry-1.docker.io", "auth.docker.io", "*.r2.cloudflarestorage.com"}
        found -= {"production.cloudflare.docker.com", "production.cloudfront.docker.com"}
        found |= {"docker.io"}
    return found - {"release-assets.githubusercontent.com", "objects.githubusercontent.com", "files.pythonhosted.org"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_only_the_site_remains(name: str) -> None:
    _, files = example(name, mirrored=True)
    for path, text in files.items():
        assert hosts({path: text}) <= OF_THE_SITE | OWN.get(name, set()), path


@pytest.mark.parametrize("name", EXAMPLES)
def test_images_are_those_of_the_mirror(name: str) -> None:
    plain, _ = example(name, mirrored=False)
    _, files = example(name, mirrored=True)
    public = {target.image.ref for target in plain.targets if target.image and target.image.ref}
    public |= {base for image in plain.images.values() for base in (image.base, *(s.base for s in image.stages))}
    for public_name in public:
        place = re.compile(rf"(?<![\w/]){re.escape(public_name)}")
        assert [
            line
            for text in files.values()
            for line in code(text)
            if place.search(line) and "prefix" not in line and "--image=" not in line
        ] == []


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_list_is_what_files_name(name: str, *, mirrored: bool) -> None:
    manifest, files = example(name, mirrored=mirrored)
    for phase in ("build", "job"):
        of_phase = {path: text for path, text in files.items() if path.startswith("images/") == (phase == "build")}
        found = hosts(
            of_phase if phase == "build" else {path: pulled(manifest, path, of_phase[path]) for path in of_phase}
        )
        named = listed(manifest, phase)
        if phase == "build" and manifest.images:
            assert "registry.example.org" in named
            found.add("registry.example.org")  # Pushing is the builder's: the files name it in comments.
        assert named == found


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_is_asked_by_default_but_the_site(name: str) -> None:
    manifest, _ = example(name, mirrored=True)
    assert {one.host for one in contacts(manifest)} <= OF_THE_SITE | WITHOUT_A_MIRROR | OWN.get(name, set())
