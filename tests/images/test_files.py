"""The files as a whole: what they say, and that linters and bash agree."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import dockerfile_reader
import pytest
from image_cases import CUDA, DIGEST, HOSTILE, HOSTILE_LINES, IMAGES, MINIMAL, ROCM
from interpreter import differences
from msgspec.structs import replace

from mngen.images import apptainer, constraints, contract, dockerfile
from mngen.manifest.image import Env, FileCopy, Image, Pip, Stage, Step

ROOT = Path(__file__).parents[2]
BUILDERS = ("buildkit", "podman", "classic")
HADOLINT = shutil.which("hadolint", path=sysconfig.get_path("scripts")) or "hadolint"


@pytest.mark.parametrize("name", IMAGES)
def test_dockerfile(name, snapshot):
    assert dockerfile.text(IMAGES[name]) == snapshot


@pytest.mark.parametrize("name", IMAGES)
def test_definition(name, snapshot):
    assert apptainer.text(IMAGES[name]) == snapshot


@pytest.mark.parametrize("builder", ["podman", "classic"])
def test_dockerfile_of_a_builder(builder, snapshot):
    assert dockerfile.text(replace(CUDA, builder=builder)) == snapshot


def test_files_beside(snapshot):
    assert {"dockerignore": dockerfile.dockerignore(CUDA), "constraints": constraints.text(CUDA, "m.yaml")} == snapshot


def lint(text, tmp_path):
    path = tmp_path / "Dockerfile"
    path.write_text(text, encoding="utf-8")
    command = [HADOLINT, "--no-color", "--config", str(ROOT / ".hadolint.yaml"), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("name", IMAGES)
def test_hadolint(name, builder, tmp_path):
    assert lint(dockerfile.text(replace(IMAGES[name], builder=builder)), tmp_path) == ""


@pytest.mark.parametrize("builder", BUILDERS)
def test_hadolint_with_hostile_text(builder, tmp_path):
    named = {f"v{index}": value for index, value in enumerate(HOSTILE)}
    image = replace(
        CUDA,
        builder=builder,
        env=Env(build=named, image={name.upper(): value for name, value in named.items()}),
        labels={f"org.example.{name}": value for name, value in named.items()},
        pip=Pip(packages=tuple(value for value in HOSTILE if value)),
        steps=tuple(Step(run=body) for body in HOSTILE_LINES),
    )
    assert lint(dockerfile.text(image), tmp_path) == ""


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("name", IMAGES)
def test_every_run_is_bash(name, builder):
    text = dockerfile.text(replace(IMAGES[name], builder=builder))
    bodies = []
    for instruction, raw, documents in dockerfile_reader.instructions(text):
        if instruction == "RUN":
            names = [match[2] for match in dockerfile_reader.HERE.finditer(dockerfile_reader.outside_quotes(raw))]
            inside = "".join(f"\n{body}{name}" for body, name in zip(documents, names, strict=True))
            bodies.append(re.sub(r"^(--mount=\S+\s*(\0\s*)?)*", "", raw).replace("\0", "\\\n") + inside)
    assert bodies or name == "minimal"
    for body in bodies:
        checked = subprocess.run(["bash", "-n"], input=body, capture_output=True, text=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, ""), body


@pytest.mark.parametrize("name", IMAGES)
def test_every_section_is_bash(name):
    sections = re.split(r"(?m)^%(\w+).*\n", apptainer.text(IMAGES[name]))
    for section, body in zip(sections[1::2], sections[2::2], strict=True):
        if section in {"post", "environment", "runscript", "test", "setup"}:
            script = body.partition("\nBootstrap:")[0]
            checked = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
            assert (checked.returncode, checked.stderr) == (0, ""), script


@pytest.mark.parametrize("builder", BUILDERS)
def test_only_what_the_builder_has(builder):
    """B124: the classic builder, also behind the SDK, knows neither mounts nor here-documents."""
    text = dockerfile.text(replace(CUDA, builder=builder))
    assert ("--mount=" in text) is (builder != "classic")
    assert ("--chmod=" in text) is (builder != "classic")
    assert ("<<'" in text) is (builder == "buildkit")
    assert "# syntax" not in text
    assert "--link" not in text
    assert ("--no-cache-dir" in text) is (builder == "classic")


@pytest.mark.parametrize("builder", BUILDERS)
def test_a_stage_that_runs_nothing_needs_no_shell(builder):
    """Only its files are taken, so it may have no bash: neither file starts one in it."""
    copied = FileCopy(source="/bin/busybox", target="/opt/busybox", stage="tools")
    stage = Stage(name="tools", base="busybox:1.36", env={"A": "b"})
    image = replace(MINIMAL, builder=builder, stages=(stage,), files=(copied,))
    docker = dockerfile.text(image).split("\n\n")
    assert docker[1:3] == ["FROM busybox:1.36 AS tools", "FROM ubuntu:24.04"]
    assert "COPY --from=tools /bin/busybox /opt/busybox" in dockerfile.text(image)
    first, _, rest = apptainer.text(image).partition("\n\nBootstrap: docker\nFrom: ubuntu:24.04\n")
    assert first.endswith("\n\nBootstrap: docker\nFrom: busybox:1.36\nStage: tools")
    assert "%files from tools\n    /bin/busybox /.mngen/0/busybox" in rest
    assert differences(dockerfile.text(image), apptainer.text(image), {}) == []


def test_without_cache_nothing_is_kept():
    text = dockerfile.text(replace(CUDA, cache=False))
    assert "type=cache" not in text
    assert text.count("--no-cache-dir") == 4
    assert text.count("rm -rf /var/lib/apt/lists/*") == 2


def test_each_argument_is_declared_in_the_stage_that_uses_it():
    """B128: ARG ends at the next FROM."""
    for stage in dockerfile.text(CUDA).split("\nFROM ")[1:]:
        assert "ARG DEBIAN_FRONTEND" in stage
    before = dockerfile.text(CUDA).split("\nFROM ")[0]
    assert "ARG" not in before


def test_one_variable_a_line():
    """B120."""
    for text in (dockerfile.text(CUDA), apptainer.text(CUDA)):
        for line in re.findall(r"^\s*(?:ENV|ARG|export) .*", text, re.MULTILINE):
            assert len(re.findall(r"(?:^|\s)[A-Z_]+=", line)) == 1, line


def test_arch_list_of_each_vendor():
    """B136."""
    assert 'ENV TORCH_CUDA_ARCH_LIST="9.0 10.0"' in dockerfile.text(CUDA)
    assert 'ENV PYTORCH_ROCM_ARCH="gfx942;gfx950"' in dockerfile.text(ROCM)
    own = replace(ROCM, gpu_arch=(), env=Env(build={"HIP_ARCHITECTURES": "gfx942,gfx950"}))
    assert 'ARG HIP_ARCHITECTURES="gfx942,gfx950"' in dockerfile.text(own)


def test_header_of_a_definition():
    """B115, and a tag beside a digest, which Apptainer refuses."""
    text = apptainer.text(replace(ROCM, base=f"docker.example.org:5000/a/b:1@{DIGEST}"))
    assert (
        f"\nBootstrap: docker\n# Tag 1; Apptainer takes a tag or a digest, not both.\nFrom: docker.example.org:5000/a/b@{DIGEST}\n"
        in text
    )


def test_torch_comes_from_the_index_of_the_base():
    assert "https://wheels.example.org/torch/cu128" in dockerfile.text(CUDA)
    newer = replace(ROCM, base="rocm/primus:v26.4", toolkit="7.14.1", torch=replace(CUDA.torch))
    assert "https://wheels.example.org/torch/rocm7.14" in dockerfile.text(newer)


def test_secrets_are_mounts():
    text = dockerfile.text(ROCM)
    assert "RUN --mount=type=secret,id=hf_token,required=true \\" in text
    assert "#     --secret id=netrc,src=FILE \\" in text.replace("#   ", "#   ")
    definition = apptainer.text(ROCM)
    assert "--bind FILE:/run/secrets/netrc" in definition
    assert "[[ -s /run/secrets/hf_token ]] ||" in definition


def test_contract_is_in_both_files():
    body = "\n".join(contract.lines(CUDA))
    assert json.loads(body) == contract.contract(CUDA)
    for text in (dockerfile.text(CUDA), apptainer.text(CUDA)):
        assert f"{body}\nEOF" in text
        assert text.count(contract.digest(CUDA)) == 3


def test_digest_covers_the_description_and_nothing_else():
    assert contract.digest(CUDA) != contract.digest(replace(CUDA, apt=("git",)))
    assert contract.digest(CUDA) != contract.digest(replace(CUDA, cache=False))
    assert contract.digest(CUDA) == contract.digest(replace(CUDA, spans={"x": None}))
    assert contract.digest(replace(CUDA, system_python=None)) != contract.digest(replace(CUDA, system_python=False))
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", contract.digest(CUDA))


def test_ignore_file_sends_only_what_is_copied():
    lines = dockerfile.dockerignore(CUDA).splitlines()
    assert lines[2:] == ["*", "!constraints-user.txt", "!site-ca.crt", "!conf", "!entry.sh", "!tool.c"]


def test_smallest_image_has_no_python_layers():
    text = dockerfile.text(Image(variant="cuda", repository="a", tag="1", base="ubuntu:24.04"))
    assert "python3" not in text
    assert "pip install" not in text
