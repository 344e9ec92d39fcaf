"""``build-image --platform``: what is a platform, how many a builder takes, and what the image's files say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

LEVEL = {"buildx": "buildkit", "sdk": "classic", "podman": "podman", "apptainer": "buildkit"}
ONE = {
    "linux/amd64": ("linux/amd64", "--arch amd64"),
    "linux/arm64": ("linux/arm64", "--arch arm64"),
    "linux/arm64/v8": ("linux/arm64", "--arch arm64"),
    "linux/amd64/v1": ("linux/amd64", "--arch amd64"),
    "linux/amd64/v3": ("linux/amd64/v3", "--arch amd64 --arch-variant v3"),
    "linux/arm/v7": ("linux/arm/v7", "--arch arm --arch-variant v7"),
    "linux/ppc64le": ("linux/ppc64le", "--arch ppc64le"),
}
TWO = "linux/amd64,linux/arm64"


def prepared(described: Path, builder: str, platform: str = "") -> None:
    """Have the image rendered for a builder, without secrets, perhaps with a platform of its own."""
    text = described.read_text().replace("  secrets: [netrc]\n", "")
    own = f"  platform: {platform}\n" if platform else ""
    described.write_text(text.replace("image:\n", f"image:\n  builder: {LEVEL[builder]}\n{own}"))


def asked(mngen, described, builder, *more):
    return mngen("build-image", described, "--cuda", "--dry-run", "--builder", builder, *more)


@pytest.mark.parametrize("builder", LEVEL)
@pytest.mark.parametrize("platform", ONE)
def test_every_builder_is_told_in_its_own_words(mngen, described, builder, platform) -> None:
    prepared(described, builder)
    said = asked(mngen, described, builder, "--platform", platform)
    assert said.status == 0
    written, arch = ONE[platform]
    if builder == "apptainer":
        assert f"build --force {arch} " in said.out
        assert "--platform" not in said.out
    else:
        assert re.search(rf"--platform {written} ", said.out)


@pytest.mark.parametrize("builder", ["buildx", "sdk", "podman"])
@pytest.mark.parametrize("platform", ONE)
def test_a_sif_of_the_image_is_of_its_platform(mngen, described, builder, platform) -> None:
    prepared(described, builder)
    said = asked(mngen, described, builder, "--platform", platform, "--sif")
    assert f"apptainer build --force {ONE[platform][1]} out/" in said.out.splitlines()[-1]


@pytest.mark.parametrize(
    "platform",
    [
        *("nonsense x", "nonsense", "linux", "linux/", "/amd64", "linux/amd64/", "linux/a/b/c", "linux amd64", "-/-"),
        *("linux/amd64,", ",linux/amd64", "linux/amd64, linux/arm64", "linux/$ARCH", "windows/amd64", "LINUX/AMD64"),
    ],
)
@pytest.mark.parametrize("builder", LEVEL)
def test_what_is_no_platform_is_refused(mngen, described, builder, platform) -> None:
    prepared(described, builder)
    said = asked(mngen, described, builder, "--platform", platform)
    assert (said.status, said.out) == (2, "")
    assert f"error: `--platform {platform}` is no platform of Linux" in said.err
    assert "hint: write linux/ARCH or linux/ARCH/VARIANT" in said.err


def test_buildx_builds_for_several_at_once(mngen, described) -> None:
    prepared(described, "buildx")
    said = asked(mngen, described, "buildx", "--platform", f"{TWO}/v8", "--push")
    assert (said.status, said.err) == (0, said.err)
    assert f"--platform {TWO} " in said.out


@pytest.mark.parametrize("run", [("--dry-run",), ()], ids=["dry", "real"])
@pytest.mark.parametrize(
    ("builder", "more", "words"),
    [
        ("apptainer", (), "apptainer builds for one platform at a time"),
        ("podman", (), "podman builds for one platform at a time"),
        ("sdk", (), "sdk builds for one platform at a time"),
        ("buildx", ("--push", "--sif"), "a SIF is for one platform"),
        ("buildx", ("--sif",), "a SIF is for one platform"),
    ],
)
def test_several_at_once_are_refused_where_one_would_win(mngen, described, run, builder, more, words) -> None:
    prepared(described, builder)
    assert mngen("render", "--no-lint", described).status == 0
    said = mngen("build-image", described, "--cuda", "--builder", builder, "--platform", TWO, *more, *run)
    assert (said.status, said.out) == (2, "")
    assert f"error: `--platform {TWO}`: {words}" in said.err
    assert "hint: " in said.err


@pytest.mark.parametrize("builder", LEVEL)
@pytest.mark.parametrize(
    ("own", "platform", "fits"),
    [
        ("linux/amd64", "linux/arm64", False),
        ("linux/amd64", "linux/amd64/v3", False),
        ("linux/arm64", "linux/arm64/v8", True),
        ("linux/amd64", "linux/amd64", True),
    ],
)
def test_another_platform_than_the_files_speak_of_is_refused(mngen, described, builder, own, platform, fits) -> None:
    """The contract in the image names the manifest's platform."""
    prepared(described, builder, own)
    said = asked(mngen, described, builder, "--platform", platform)
    assert said.status == (0 if fits else 2)
    if not fits:
        assert f"error: `--platform {platform}`: the image is described for {own}" in said.err
        assert "hint: leave it out, or change image.platform and render again" in said.err
    assert asked(mngen, described, builder).status == 0


def test_several_where_the_files_speak_of_one_are_refused(mngen, described) -> None:
    prepared(described, "buildx", "linux/amd64")
    said = asked(mngen, described, "buildx", "--platform", TWO, "--push")
    assert said.status == 2
    assert "the image is described for linux/amd64" in said.err
