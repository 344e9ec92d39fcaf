"""``build-image``."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def test_a_dry_run_prints_exact_commands(mngen, described) -> None:
    result = mngen("build-image", described, "--dry-run")
    assert result.status == 0
    reference = "registry.example.org/rl/verl:1"
    assert result.out.splitlines() == [
        f"docker buildx build --file out/images/{variant}/Dockerfile --tag {reference}-{variant} {secret} --load job"
        for variant in ("cuda", "rocm")
        for secret in ["--secret id=netrc,src=FILE"]
    ]


TAG = "registry.example.org/rl/verl:1-cuda"
FILE = "out/images/cuda/Dockerfile"
COMMON = f"--file {FILE} --tag {TAG} --secret id=netrc,env=N"
IGNORE = "--ignorefile out/images/cuda/Dockerfile.dockerignore"


MEANT = {"buildx": "buildkit", "sdk": "classic", "podman": "podman"}


def for_builder(described: Path, builder: str) -> list[str]:
    """Have the manifest's images rendered for a builder; return the options for their secrets, if it has such."""
    text = described.read_text().replace("image:\n", f"image:\n  builder: {MEANT[builder]}\n")
    if builder == "sdk":
        described.write_text(text.replace("  secrets: [netrc]\n", ""))
        return []
    described.write_text(text)
    return ["--secret", "id=netrc,env=N"]


@pytest.mark.parametrize(
    ("builder", "expected"),
    [
        ("buildx", [f"docker buildx build {COMMON} --push job"]),
        (
            "sdk",
            [f"tar -cf - {FILE} | DOCKER_BUILDKIT=0 docker build --file {FILE} --tag {TAG} -", f"docker push {TAG}"],
        ),
        ("podman", [f"podman build --format docker {IGNORE} {COMMON} job", f"podman push {TAG}"]),
    ],
)
def test_every_builder_has_its_own_words(mngen, described, builder, expected) -> None:
    options = ["--variant", "cuda", "--push", *for_builder(described, builder), "--builder", builder]
    assert mngen("build-image", described, "--dry-run", *options).out.splitlines() == expected


FROM_PODMAN = "podman save --quiet --format oci-archive --output out/images/cuda/job.tar"


@pytest.mark.parametrize(
    ("options", "source"),
    [
        (["buildx"], f"docker-daemon:{TAG}"),
        (["buildx", "--push"], f"docker://{TAG}"),
        (["sdk", "--push"], f"docker://{TAG}"),
        (["podman", "--push"], f"docker://{TAG}"),
        (["podman"], "oci-archive:out/images/cuda/job.tar"),
    ],
)
def test_a_dry_run_says_how_the_sif_is_made_and_where(mngen, described, options, source) -> None:
    words = ["--variant", "cuda", "--sif", *for_builder(described, options[0]), "--builder", *options]
    lines = mngen("build-image", described, "--dry-run", *words).out.splitlines()
    assert lines[-1] == f"apptainer build --force out/images/cuda/job.sif {source}"
    assert (lines[-2] == f"{FROM_PODMAN} {TAG}") is (options == ["podman"])


def test_json_lists_argument_vectors(mngen, described) -> None:
    document = json.loads(mngen("build-image", described, "--dry-run", "--format", "json").out)
    assert [image["variant"] for image in document["images"]] == ["cuda", "rocm"]
    (first,) = document["images"][0]["commands"]
    assert first["argv"][:3] == ["docker", "buildx", "build"]
    assert "input" not in first
    for_builder(described, "sdk")
    document = json.loads(mngen("build-image", described, "--dry-run", "--format", "json").out)
    (first,) = document["images"][0]["commands"]
    assert (first["argv"][-1], first["env"]) == ("-", {"DOCKER_BUILDKIT": "0"})
    assert first["input"] == ["tar", "-cf", "-", FILE]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--secret", "netrc"], "not of the form"),
        (["--secret", "id=other,src=x"], "no source for the build secrets netrc"),
        (["--secret", "id=netrc,src=x", "--secret", "id=other,src=x"], "no image reads the build secrets other"),
    ],
)
def test_secrets_must_fit(mngen, described, options, words) -> None:
    result = mngen("build-image", described, *options)
    assert result.status == 2
    assert words in result.err


def test_a_manifest_without_described_images_has_nothing_to_build(mngen, manifest) -> None:
    assert mngen("build-image", manifest, "--dry-run").status == 2


BUILD = ["--variant", "cuda", "--secret", "id=netrc,src=/dev/null"]


def test_stale_files_are_not_built(mngen, described, stub) -> None:
    stub("docker", "exit 0")
    result = mngen("build-image", described, *BUILD)
    assert result.status == 1
    assert "error[MN601]" in result.err
    assert "mngen render job/m.yaml -o out" in result.err
    assert "images/rocm" not in result.err


def test_standard_output_is_no_place_of_files(mngen, described, manifest) -> None:
    assert mngen("build-image", described, "-o", "-", "--dry-run").status == 2
    assert mngen("diff", manifest, "-o", "-").status == 2


VERSION = '[ "$2" != version ] || { echo "github.com/docker/buildx v0.29.1 1"; exit 0; };'
VERTEX = '{"vertexes":[{"digest":"sha256:1","name":"[2/3] RUN make","started":"2026-01-01T00:00:00Z","error":"%s"}]}'


def test_a_build_runs_the_builder(mngen, described, stub) -> None:
    assert mngen("render", "--no-lint", described).status == 0
    stub("docker", f'{VERSION} echo "$@" >>docker.log')
    result = mngen("build-image", described, *BUILD)
    assert result.status == 0
    assert result.out == "registry.example.org/rl/verl:1-cuda\n"
    assert Path("docker.log").read_text().startswith("buildx build --progress rawjson --metadata-file ")


STEPS = (
    '{"vertexes":[{"digest":"sha256:1","name":"[1/2] RUN one","started":"2026-01-01T00:00:00Z"%s},'
    '{"digest":"sha256:2","name":"[2/2] RUN two","started":"2026-01-01T00:00:00Z"%s}]}'
)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_gets_a_bar_for_each_step_and_others_a_line(mngen, described, stub, terminal) -> None:
    assert mngen("render", "--no-lint", described).status == 0
    done = ',"cached":true,"completed":"2026-01-01T00:00:01Z"', ',"completed":"2026-01-01T00:00:01Z"'
    stub("docker", f"{VERSION} echo '{STEPS % ('', '')}'; sleep 0.5; echo '{STEPS % done}'")
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "-m", "mngen", "build-image", str(described), *BUILD]
    stream = follower if terminal else subprocess.PIPE
    try:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stream, env=env)
        os.close(follower)
        seen = b"" if terminal else process.communicate(timeout=60)[1]
        with contextlib.suppress(OSError):  # what a terminal ends in when nobody has it open any more
            while terminal and (data := os.read(leader, 4096)):
                seen += data
        assert process.wait(60) == 0
    finally:
        os.close(leader)
    said = seen.decode()
    running = [line for line in said.splitlines() if "\u2501" in line]
    assert bool(running) == terminal
    for step in ("[1/2] RUN one", "[2/2] RUN two"):
        assert not terminal or [line for line in running if line.rstrip().endswith(step)]
    assert re.search(r"\[1/2\] RUN one  cached\r?\n", said)
    assert re.search(r"\[2/2\] RUN two  [0-9.]+ s\r?\n", said)
    assert ("\x1b[" in said) == terminal


def test_a_failing_step_is_a_finding_with_its_place(mngen, described, stub) -> None:
    assert mngen("render", "--no-lint", described).status == 0
    text = Path("out/images/cuda/Dockerfile").read_text()
    line = text[: text.index("python3 -m pip install")].count("\n") + 1
    error = VERTEX % "process did not complete successfully: exit code: 7"
    log = '{"logs":[{"vertex":"sha256:1","stream":1,"data":"bm8gc3VjaCBwYWNrYWdlCg=="}]}'
    start = error.replace(',"error"', ',"x"')
    stub("docker", f"{VERSION} printf '%s\\n' '{start}' '{log}' '{error}' 'Dockerfile:{line}'; exit 1")
    result = mngen("build-image", described, *BUILD, "--format", "json")
    assert result.status == 1
    assert "  | no such package\n" in result.err
    assert "error[MN602]: image.pip.packages: `RUN make` ended with status 7" in result.err
    assert " 9 |   pip: {packages: [" in result.err
    error = json.loads(result.out)["error"]
    assert (error["kind"], error["tail"]) == ("step-failed", ["no such package"])


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_engine_in_the_way_is_one_line_a_hint_and_status_3(mngen, described, stub, form) -> None:
    assert mngen("render", "--no-lint", described).status == 0
    stub("docker", f"{VERSION} echo 'ERROR: write /x: no space left on device' >&2; exit 1")
    result = mngen("build-image", described, *BUILD, "--format", form)
    assert result.status == 3
    assert "error: the disk is full where docker keeps its images\nhint: make room" in result.err
    if form == "json":
        assert json.loads(result.out)["error"]["kind"] == "disk-full"


def test_names_of_an_image_are_checked(mngen, described) -> None:
    result = mngen("build-image", described, "--dry-run", "--cuda", "--tag", "2", "--tag", "localhost:5000/a:b")
    assert "--tag registry.example.org/rl/verl:2 --tag localhost:5000/a:b" in result.out
    assert "would be two images" in mngen("build-image", described, "--dry-run", "--tag", "2").err
    assert "no name of an image" in mngen("build-image", described, "--dry-run", "--cuda", "--tag", "A b").err
    assert mngen("build-image", described, "--dry-run", "--cuda", "--all").status == 2


def test_a_dockerfile_goes_to_a_builder_that_has_what_it_uses(mngen, described) -> None:
    assert mngen("render", "--no-lint", described).status == 0
    result = mngen("build-image", described, *BUILD, "--builder", "sdk")
    assert result.status == 2
    assert "rendered for `buildkit`: sdk lacks mounts and here-documents" in result.err


def test_a_missing_builder_is_status_3_with_a_hint(mngen, described, monkeypatch, stub) -> None:
    assert mngen("render", "--no-lint", described).status == 0
    stub("docker", "exit 1")
    result = mngen("build-image", described, *BUILD)
    assert result.status == 3
    assert "no buildx" in result.err
    bash = shutil.which("bash")
    assert bash
    Path("only").mkdir()
    Path("only/bash").symlink_to(bash)
    monkeypatch.setenv("PATH", str(Path("only").resolve()))
    result = mngen("build-image", described, *BUILD)
    assert result.status == 3
    assert "`docker` is not installed" in result.err
    assert "hint: " in result.err


@pytest.mark.parametrize("command", [["build-image", *BUILD], ["lock"], ["inspect", "a:1"]], ids=lambda words: words[0])
def test_an_installation_without_the_extra_says_how_to_get_it(mngen, described, monkeypatch, command) -> None:
    assert mngen("render", "--no-lint", described).status == 0
    monkeypatch.setattr("mngen.build.engines.find_spec", lambda name: None if name == "tenacity" else name)
    result = mngen(*command, *([described] if command[0] != "inspect" else []))
    assert result.status == 3
    assert "error: these Python packages are missing: tenacity\nhint: install them with `pip install" in result.err
