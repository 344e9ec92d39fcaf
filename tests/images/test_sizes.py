"""What is too large for the files of an image: refused with its field, to the byte; one byte less is read.

Limits: a line of a Dockerfile (``frontend/dockerfile/parser/parser.go`` of https://github.com/moby/buildkit) and a
section of a definition file (``pkg/build/types/parser/deffile.go`` of https://github.com/apptainer/apptainer) are
tokens of Go's bufio.Scanner, whose buffer has 64 KiB; RUN is one argument of a shell, execve(2).
"""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import pytest
from described import BASES

from mngen import render, targets
from mngen.cli.app import run
from mngen.images import oversize
from mngen.manifest.load import load

BUFFER = 64 * 1024
ARGUMENT = 128 * 1024 - 1


def read(image, **parts):
    """Load a manifest with these fields of an image; return it and the texts of its files."""
    common = {"repository": "r.example.org/a", "variants": {"cuda": {"tag": "1", "base": BASES["cuda"]}}, **image}
    document = {
        "apiVersion": "mngen/v1",
        "name": "x",
        "image": common,
        "driver": {"command": ["x"]},
        "targets": {"a": {"kind": "manual"}},
        **parts,
    }
    loaded = load(json.dumps(document, indent=1), "m.yaml")
    assert loaded.manifest is not None, loaded.diagnostics
    return loaded.manifest, render.render(targets.plan(loaded.manifest), digest="").files


def found(image):
    return list(oversize.findings(*read(image)))


def fails(files) -> set[str]:
    """Return the files that their readers refuse, by the rules of those."""
    texts = {file.path.rpartition("/")[2]: file.text.encode() for file in files}
    refused = set()
    if any(len(line) + 1 > BUFFER for line in texts["Dockerfile"].split(b"\n")):
        refused.add("Dockerfile")
    for part in re.split(rb"(?mi)^(?=bootstrap:)", texts.get("x.def", b"")):
        sections = re.split(rb"(?m)^(?=%)", part)
        for section, after in zip(sections, [*sections[1:], None], strict=True):
            # The scanner has the section's end only when it has the whole line that follows it, or the file's end.
            more = after.partition(b"\n")[0] + b"\n" if after else b""
            if len(section) + len(more) > (BUFFER if more else BUFFER - 1):
                refused.add("x.def")
    return refused


def one_value(text):
    return {"env": {"image": {"A": "b", "V": text}}}


FIELDS = {
    "env.image.V": one_value,
    "env.build.V": lambda text: {"env": {"build": {"A": "b", "V": text}}, "steps": ["true"]},
    "labels.v": lambda text: {"labels": {"a": "b", "v": text}},
    "steps.1": lambda text: {"steps": ["true", f": {text}"]},
    "self_test.0": lambda text: {"self_test": [f": {text}"]},
    "pip.packages": lambda text: {"pip": {"packages": ["a", f"b @ https://x.example.org/{text}"]}},
    "git.0": lambda text: {"git": [{"url": f"https://x.example.org/{text}", "ref": "v1", "path": "/opt/y"}]},
    "stages.0.env.V": lambda t: {"stages": [{"name": "s", "base": "debian:12", "env": {"V": t}, "steps": ["true"]}]},
    "stages.0.steps.0": lambda text: {"stages": [{"name": "s", "base": "debian:12", "steps": [f": {text}"]}]},
}


@pytest.mark.parametrize("builder", ["buildkit", "podman", "classic"])
@pytest.mark.parametrize("apptainer", [True, False], ids=["both files", "no definition"])
@pytest.mark.parametrize("field", FIELDS)
def test_what_a_reader_refuses_is_refused_and_nothing_else(field, apptainer, builder) -> None:
    """Around both limits, in letters that have two bytes."""
    make, written = FIELDS[field], re.sub(r"\.([0-9])", r"[\1]", field)
    fixed = {"builder": builder, "apptainer": apptainer}
    seen = set()
    for size in (1000, 57_000, *range(65_300, 65_600, 60), 70_000):
        manifest, files = read({**make("é" * (size // 2) + "a" * (size % 2)), **fixed})
        errors = list(oversize.findings(manifest, files))
        refused = fails(files)
        seen.add(bool(refused))
        assert bool(errors) == bool(refused), size
        for error in errors:
            assert (error.code, error.severity.value) == ("MN818", "error")
            assert f"image.{written} " in error.message
            assert error.span == next(iter(manifest.images.values())).span(field)
            assert error.span.line > 5
            assert error.hint
        assert any("Dockerfile" in error.message for error in errors) == ("Dockerfile" in refused)
        assert any("definition file" in error.message for error in errors) == ("x.def" in refused)
    assert seen == {True, False}


def test_lines_that_fit_may_be_too_much_for_a_section() -> None:
    lines = "\n".join(f": {number:0500}" for number in range(128))
    (error,) = found({"steps": ["true", lines], "env": {"image": {"V": "a"}}})
    assert re.fullmatch(r"image\.steps\[1\] and what is beside it make 6\d{4} bytes of %post in .*", error.message)
    assert found({"steps": ["true", lines], "apptainer": False}) == []


@pytest.mark.parametrize("builder", ["buildkit", "podman", "classic"])
def test_a_step_is_one_argument_of_its_shell(builder) -> None:
    short = partial(lambda count, rest: "\n".join([f": {'x' * 1000}"] * count) + f"\n: {'y' * rest}\n", 129)
    sizes = {}
    for rest in range(0, 1800, 60):
        manifest, files = read({"steps": [short(rest)], "apptainer": False, "builder": builder})
        errors = list(oversize.findings(manifest, files))
        sizes[rest] = bool(errors)
        for error in errors:
            assert re.match(r"image\.steps\[0\] makes a RUN of 1\d{5} bytes in the Dockerfile; ", error.message)
    assert sizes[0] is (builder != "buildkit" and sizes[0])
    assert sizes[1740]
    if builder == "buildkit":
        command = "bash -euo pipefail /dev/fd/3 3<<'STEP'\n{}STEP"
        assert {rest: len(command.format(short(rest)).encode()) > ARGUMENT for rest in sizes} == sizes


def test_everything_that_is_too_large_is_told_once() -> None:
    large = "a" * 70_000
    errors = found({"env": {"image": {"V": large, "W": large}}, "steps": [f": {large}\n: {large}"]})
    docker = [error.message.partition(" ")[0] for error in errors if "Dockerfile" in error.message]
    assert docker == ["image.env.image.V", "image.env.image.W", "image.steps[0]"]
    assert len(errors) == len(docker) + 2  # %post and %environment


def test_a_render_that_nobody_could_build_writes_nothing(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    image = {"repository": "r.example.org/a", "variants": {"cuda": {"tag": "1", "base": BASES["cuda"]}}}
    document = {
        "apiVersion": "mngen/v1",
        "name": "x",
        "driver": {"command": ["x"]},
        "targets": {"a": {"kind": "manual"}},
    }
    Path("m.yaml").write_text(json.dumps(document | {"image": image | one_value("a" * 70_000)}))
    assert run(["render", "--no-lint", "m.yaml"]) == 1
    assert capsys.readouterr().err.count("error[MN818]: image.env.image.V ") == 3
    assert not Path("out").exists()
