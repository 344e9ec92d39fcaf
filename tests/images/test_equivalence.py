"""Dockerfile and definition file describe the same image, read from their texts alone."""

from __future__ import annotations

import dockerfile_reader
import pytest
from image_cases import CUDA, HOSTILE, HOSTILE_LINES, IMAGES, MINIMAL
from interpreter import differences
from msgspec.structs import replace

from mngen.images import apptainer, dockerfile
from mngen.manifest.image import Env, GitSource, Pip, Step

BUILDERS = ("buildkit", "podman", "classic")
BASES = {
    "bare": {},
    "with-folders": {"LD_LIBRARY_PATH": "/usr/lib64", "PIP_CONSTRAINT": "/etc/pip/constraint.txt"},
    "with-the-same-names": dict.fromkeys(
        ("MAX_JOBS", "BOTH", "CFLAGS", "DEBIAN_FRONTEND", "PIP_ROOT_USER_ACTION", "PIP_BREAK_SYSTEM_PACKAGES"), "of it"
    ),
}


def texts(image):
    return dockerfile.text(image), apptainer.text(image)


@pytest.mark.parametrize("base_env", BASES.values(), ids=BASES)
@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("name", IMAGES)
def test_same_image(name, builder, base_env):
    image = replace(IMAGES[name], builder=builder)
    if builder == "classic":
        image = replace(image, secrets=(), steps=tuple(replace(step, secrets=()) for step in image.steps))
    assert differences(*texts(image), base_env, builder) == []


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("body", HOSTILE_LINES)
def test_same_steps_from_hostile_text(body, builder):
    image = replace(CUDA, steps=(Step(run=body), Step(run=body + "\n")), self_test=(Step(run=body),), builder=builder)
    assert differences(*texts(image), builder=builder) == []


@pytest.mark.parametrize("builder", BUILDERS)
def test_same_values_from_hostile_text(builder):
    named = {f"V{index}": value for index, value in enumerate(HOSTILE)}
    image = replace(
        CUDA,
        builder=builder,
        env=Env(build=named, image={name.lower(): value for name, value in named.items()}),
        labels={name.lower(): value.strip() for name, value in named.items()},
        pip=Pip(packages=tuple(value for value in HOSTILE if value)),
        git=(GitSource(url="https://example.org/x y'z", ref="v1", path="/opt/x", pip=HOSTILE, env=named),),
    )
    assert differences(*texts(image), named, builder) == []


@pytest.mark.parametrize("builder", BUILDERS)
def test_a_variable_of_the_build_wins_over_the_bases_until_the_image_sets_it(builder):
    """Whoever builds: the classic builder and podman let a base's ENV win over ARG, and BuildKit does not."""
    env = Env(build={"A": "build", "PIP_CONSTRAINT": "/build"}, image={"B": "image"}, prepend={"C": ("/c",)})
    image = replace(CUDA, builder=builder, env=env, steps=(Step(run="true"),), self_test=())
    base = {"A": "base", "PIP_CONSTRAINT": "/base", "B": "base", "C": "/base"}
    docker, definition = texts(image)
    assert differences(docker, definition, base, builder) == []
    stage = dockerfile_reader.read(docker, {"PATH": "/bin", **base}, builder)[-1]
    installs = [dict(action[-1]) for action in stage.actions if action[0] in {"apt", "pip", "script"}]
    assert [env["A"] for env in installs] == ["build"] * len(installs)
    pins = [env["PIP_CONSTRAINT"] for env in installs]
    assert pins[0] == "/build"
    assert set(pins[1:]) == {"/etc/mngen/constraints.txt /etc/mngen/constraints.d/0-constraints-user.txt"}
    assert (stage.shipped["A"], stage.shipped["B"], stage.shipped["C"]) == ("base", "image", "/c:/base")


PLANTED = {
    "a variable that the definition lacks at run time": (
        "%environment\n    export PYTHONNOUSERSITE=1\n", "%environment\n", "variables",
    ),
    "a copy in another place": ("/usr/local/bin/entry\n", "/usr/local/bin/entry2\n", "action"),
    "a package less": ("        git \\\n", "", "action"),
    "an export that %post lacks": ("    export MAX_JOBS=32\n", "", "action"),
    "another folder to start in": ("%runscript\n    cd /workspace || exit\n", "%runscript\n    cd / || exit\n", "folder"),
    "another base": ("From: nvidia/cuda:12.8.1", "From: nvidia/cuda:12.8.0", "base"),
    "a label less": ("        printf '%s %s\\n' io.mngen.image.variant cuda\n", "", "labels"),
    "a changed step": ("make -C /opt/verl extras", "make -C /opt/verl extra", "action"),
    "a test less": ("test -d /opt/verl", "test -d /opt", "tests"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_finds_planted_differences(name):
    old, new, what = PLANTED[name]
    docker, definition = texts(CUDA)
    assert old in definition
    changed = definition.replace(old, new)
    found = differences(docker, changed)
    assert len(found) == 1
    assert f"image: {what}" in found[0]


def test_finds_a_stage_that_one_lacks():
    docker, _ = texts(CUDA)
    _, definition = texts(replace(CUDA, stages=(), files=()))
    assert differences(docker, definition) == ["stages ['tools', ''] and ['']"]


def test_finds_a_secret_that_one_lacks():
    docker, _ = texts(replace(MINIMAL, steps=(Step(run="true", secrets=("a",)),)))
    _, definition = texts(replace(MINIMAL, steps=(Step(run="true"),)))
    assert "image: secrets {'a'} and set()" in differences(docker, definition)
