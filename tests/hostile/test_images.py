"""Labels, variables, steps and packages of an image: both files say the same text, and nothing runs."""

import functools
import subprocess
from pathlib import Path
from typing import Any

import definition_reader
import dockerfile_reader
import pytest
from files import image_files
from packed import DRIVER, HEAD, Sorted, counted, sort
from values import SENTINEL, pool

IMAGE = "image:\n  repository: r.example.org/a\n  variants: {cuda: {tag: '1', base: 'ubuntu:24.04'}}\n"
TARGET = "targets: {job: {kind: slurm, runtime: docker, resources: {shm: 1G}}}\n"
FIELDS = {
    "label": ("  labels:\n", "    l{number}: {text}"),
    "image variable": ("  env:\n    image:\n", "      V{number}: {text}"),
    "build variable": ("  env:\n    build:\n", "      V{number}: {text}"),
    "image step": ("  steps:\n", "    - run: {text}"),
    "requirement": ("  pip:\n    packages:\n", "      - {text}"),
}
PATH = {"PATH": "/usr/bin:/bin"}


@functools.cache
def field(name: str) -> tuple[Sorted, dict[str, str]]:
    """What a kind of field may hold, and the files of an image with all of it."""
    head, line = FIELDS[name]
    found = sort(
        pool(), HEAD + DRIVER + IMAGE + head, lambda number, text: line.format(number=number, text=text), TARGET
    )
    return found, image_files(found.manifest)


@pytest.mark.parametrize("name", FIELDS)
def test_many_values_are_tried(name: str) -> None:
    found, _ = field(name)
    counted(name, pool(), found.refused, accepted=1000)
    assert set(found.refused.values()) <= {"MN100", "MN104", "MN106", "MN805", "MN812"}


@pytest.mark.parametrize("name", FIELDS)
def test_both_files_hold_the_text(name: str) -> None:
    found, files = field(name)
    meant = [value.rstrip("\n") if name == "image step" else value for value in found.accepted]
    assert held(name, dockerfile_reader.read(files["Dockerfile"], PATH)[-1], found) == meant
    assert held(name, definition_reader.read(files["sim.def"], PATH)[-1], found) == meant


def held(name: str, stage: Any, found: Sorted) -> list[str]:
    """The values in a built image, in the manifest's order."""
    if name == "image step":
        return [text for kind, text, *_ in stage.actions if kind == "script"]
    if name == "requirement":
        return [word for kind, words, *_ in stage.actions if kind == "pip" for word in words]
    where = {"label": stage.labels, "image variable": stage.shipped, "build variable": stage.env}[name]
    return [where[f"{'l' if name == 'label' else 'V'}{number}"] for number in numbers(found)]


def numbers(found: Sorted) -> list[int]:
    """The numbers of the accepted values among all."""
    accepted = set(found.accepted)
    return [number for number, value in enumerate(pool()) if value in accepted]


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_a_container_gets_every_variable(shell: str, tmp_path: Path) -> None:
    found, files = field("image variable")
    section = files["sim.def"].partition("\n%environment\n")[2].partition("\n%")[0]
    script = section + "\nenv -0"
    done = subprocess.run([shell], input=script.encode(), cwd=tmp_path, env=PATH, capture_output=True, check=True)
    env = dict(item.split("=", 1) for item in done.stdout.decode().split("\0")[:-1])
    assert [env[f"V{number}"] for number in numbers(found)] == list(found.accepted)
    assert not (tmp_path / SENTINEL).exists()
