"""What a builder cannot do is refused: by a dry run as by the build, with the option's name and a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

RUNS = pytest.mark.parametrize("run", [("--dry-run",), ()], ids=["dry", "real"])
CUDA = ("--variant", "cuda")
SECRET = ("--secret", "id=netrc,src=/dev/null")
IGNORED = {
    ("apptainer", "--push"): ("--push",),
    ("apptainer", "--tag"): ("--tag", "x:1"),
    ("apptainer", "--cache-to"): ("--cache-to", "y"),
    ("apptainer", "--cache-from"): ("--cache-from", "z"),
    ("apptainer", "--ca-bundle"): ("--ca-bundle", "ca.pem"),
    ("sdk", "--cache-to"): ("--cache-to", "y"),
    ("auto", "--cache-to"): ("--cache-to", "y"),
}
CLASSIC = ("image:\n", "image:\n  builder: classic\n"), ("  secrets: [netrc]\n", "")


def _change(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text)


@pytest.fixture
def _engines(stub) -> None:
    """Programs that would build, so that nothing but the options stands in the way."""
    for program in ("docker", "podman", "apptainer"):
        stub(program, 'echo "$0 $*" >>built.log')


@RUNS
@pytest.mark.usefixtures("_engines")
@pytest.mark.parametrize("case", IGNORED, ids=" ".join)
def test_an_option_that_the_builder_ignores_is_refused(mngen, described, monkeypatch, run, case) -> None:
    builder, option = case
    secret = SECRET if builder == "apptainer" else ()
    if not secret:
        _change(described, *CLASSIC)
    monkeypatch.setattr("mngen.build.engines._is_there", lambda name: name == "sdk")
    assert mngen("render", "--no-lint", described).status == 0
    result = mngen("build-image", described, *CUDA, *secret, "--builder", builder, *IGNORED[case], *run)
    chosen = "sdk" if builder == "auto" else builder
    assert (result.status, result.out) == (2, "")
    assert f"error: {chosen} takes no `{option}`" in result.err
    assert "hint: " in result.err
    assert "`--builder buildx`" in result.err
    assert not Path("built.log").exists()


@RUNS
def test_all_that_is_ignored_is_named_at_once_with_what_pushes_a_sif(mngen, described, run) -> None:
    options = ["--push", "--tag", "x:1", "--cache-to", "y", "--cache-from", "z", "--no-cache"]
    result = mngen("build-image", described, *CUDA, *SECRET, "--builder", "apptainer", *options, *run)
    assert result.status == 2
    assert "apptainer takes no `--push`, `--tag`, `--cache-to`, `--cache-from`\n" in result.err
    assert "`apptainer push out/images/cuda/job.sif oras://registry.example.org/rl/verl:1-cuda`" in result.err


def test_apptainer_repeats_every_step_and_reads_certificates_where_the_image_names_them(mngen, described) -> None:
    _change(described, ("[netrc]", "[ca-bundle]"))
    options = ["--builder", "apptainer", "--no-cache", "--ca-bundle", "ca.pem", "--dry-run"]
    assert mngen("build-image", described, *CUDA, *options).status == 0


@RUNS
def test_the_sdk_hands_no_secrets_over(mngen, described, monkeypatch, run) -> None:
    _change(described, ("image:\n", "image:\n  builder: podman\n"))
    monkeypatch.setattr("mngen.build.engines._is_podman", lambda: True)
    result = mngen("build-image", described, *CUDA, *SECRET, "--builder", "sdk", *run)
    assert result.status == 2
    assert "sdk takes no `--secret`" in result.err
    assert "use `--builder podman` or `--builder buildx`" in result.err


@RUNS
def test_a_secret_that_no_image_reads_is_refused(mngen, described, run) -> None:
    result = mngen("build-image", described, *CUDA, *SECRET, "--secret", "id=typo,src=x", *run)
    assert (result.status, result.out) == (2, "")
    assert "no image reads the build secrets typo" in result.err


LACKING = {
    ("buildkit", "podman"): "podman lacks here-documents (before 5.4)",
    ("buildkit", "sdk"): "sdk lacks mounts and here-documents",
    ("podman", "sdk"): "sdk lacks mounts",
}


@RUNS
@pytest.mark.parametrize("case", LACKING, ids=" by ".join)
def test_a_builder_without_what_the_dockerfile_uses_is_refused(mngen, described, monkeypatch, run, case) -> None:
    meant, builder = case
    _change(described, ("image:\n", f"image:\n  builder: {meant}\n"))
    monkeypatch.setattr("mngen.build.engines._is_podman", lambda: False)
    result = mngen("build-image", described, *CUDA, *SECRET, "--builder", builder, *run)
    assert (result.status, result.out) == (2, "")
    assert f"rendered for `{meant}`: {LACKING[case]}\n" in result.err


@RUNS
def test_apptainer_needs_a_definition_file(mngen, described, run) -> None:
    _change(described, ("image:\n", "image:\n  apptainer: false\n"))
    result = mngen("build-image", described, *CUDA, *SECRET, "--builder", "apptainer", *run)
    assert (result.status, result.out) == (2, "")
    assert "the image has no definition file" in result.err
