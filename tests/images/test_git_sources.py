"""What a checkout needs: git and certificates on the base, and a ref that a server gives out."""

from __future__ import annotations

import re

import pytest
from described import codes
from image_cases import MINIMAL
from interpreter import differences
from msgspec.structs import replace

from mngen.diagnostics import Severity
from mngen.images import apptainer, dockerfile, order
from mngen.images.contacts import contacts
from mngen.images.recipe import SystemPackages
from mngen.manifest.image import GitSource, Pip
from mngen.manifest.load import load

SOURCE = GitSource(url="https://github.com/x/y", ref="v1", path="/opt/y")
BARE = (
    *("debian:12-slim", "ubuntu:24.04", "docker.io/library/debian:12", "nvidia/cuda:12.8.1-devel-ubuntu24.04"),
    *("nvcr.io/nvidia/cuda:12.8.1-devel-ubuntu22.04", "rocm/dev-ubuntu-22.04:7.2.1-complete", "python:3.12-slim"),
    *("mirror.example.org/library/python:3.12-slim-bookworm", f"ubuntu@sha256:{'0' * 64}"),
)
WITH_GIT = (
    *("nvcr.io/nvidia/pytorch:25.03-py3", "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10", "verlai/verl:app-verl0.6"),
    *("python:3.12", "r.example.org/ubuntu-torch:1", "registry.access.redhat.com/ubi9/ubi:9.4"),
    *("nvidia/cuda:12.8.1-devel-ubi9", "nvidia/cuda:12.8.1-devel-rockylinux9", "rocm/dev-almalinux-8:7.2"),
)


def installed(image) -> tuple[str, ...]:
    layers = order.recipe(image).final.layers
    return tuple(name for layer in layers if isinstance(layer, SystemPackages) for name in layer.packages)


@pytest.mark.parametrize("base", BARE)
@pytest.mark.parametrize(
    "image",
    [
        replace(MINIMAL, git=(SOURCE,)),
        replace(MINIMAL, pip=Pip(packages=("y @ git+https://github.com/x/y@v1",))),
        replace(MINIMAL, pip=Pip(no_build_isolation=("git+ssh://git@github.com/x/y",))),
        replace(MINIMAL, git=(SOURCE,), apt=("curl",), system_python=True),
    ],
    ids=["source", "requirement", "built here", "with others"],
)
def test_git_is_installed_where_the_base_has_none(base, image) -> None:
    image = replace(image, base=base)
    packages = installed(image)
    plain = re.search(r"(^|/)(ubuntu|debian)[:@]", base) is not None
    assert "git" in packages
    assert ("ca-certificates" in packages) is plain  # others have them
    assert packages[: len(image.apt)] == image.apt
    assert differences(dockerfile.text(image), apptainer.text(image)) == []
    text = dockerfile.text(image)
    first = min(text.index(words) for words in ("git init", "git+") if words in text)
    assert re.search(r" git\b", text).start() < first
    assert any(contact.field == "image.apt" for contact in contacts(image))


@pytest.mark.parametrize("base", WITH_GIT)
def test_other_bases_are_left_alone(base) -> None:
    image = replace(MINIMAL, base=base, git=(SOURCE,), system_python=False)
    assert installed(image) == ()
    assert installed(replace(image, apt=("git",))) == ("git",)


@pytest.mark.parametrize(
    "apt",
    [
        ("git", "ca-certificates"),
        ("git=1:2.43.*", "ca-certificates"),
        ("git/noble-backports", "ca-certificates=20240203"),
        ("git:amd64", "ca-certificates"),
    ],
)
def test_what_the_manifest_names_is_named_once(apt) -> None:
    assert installed(replace(MINIMAL, git=(SOURCE,), apt=apt)) == apt
    assert installed(replace(MINIMAL, git=(SOURCE,), apt=apt[:1])) == (apt[0], "ca-certificates")


def test_without_a_source_nothing_is_installed() -> None:
    assert installed(replace(MINIMAL, pip=Pip(packages=("gitpython",)), system_python=False)) == ()
    assert installed(MINIMAL) == ()


FULL = "1f" * 20


@pytest.mark.parametrize("ref", ["abc1234", "1f2e3d4c", "0a1b2c3d4e", FULL[:39], FULL + "1f2", ("1f" * 32)[:63]])
def test_the_beginning_of_a_commit_id_is_warned_of(ref) -> None:
    field = f"git: [{{url: 'https://github.com/x/y', ref: '{ref}', path: /opt/y}}]"
    assert codes(field) == ["MN821"]
    text = "apiVersion: mngen/v1\nname: x\nimage:\n  repository: r.example.org/a\n  variants: {cuda: {tag: '1', base: 'a:1'}}\n"
    found = load(f"{text}  {field}\ndriver: {{command: [x]}}\ntargets: {{a: {{kind: manual}}}}\n", "m.yaml").diagnostics
    (one,) = (one for one in found if one.code == "MN821")
    assert (one.severity, one.span.line) == (Severity.WARNING, 6)
    assert f"image.git[0].ref is {ref}" in one.message
    assert "git rev-parse" in one.hint


@pytest.mark.parametrize(
    "ref", [FULL, "1f" * 32, "v0.6.0", "20240501", "1234567", "deadbeef", "decade", "abc123", "feature/1f2e3d4c"]
)
def test_names_and_whole_ids_are_not(ref) -> None:
    assert codes(f"git: [{{url: 'https://github.com/x/y', ref: '{ref}', path: /opt/y}}]") == []
