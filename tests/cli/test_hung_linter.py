"""Linters that do not end: what mngen itself found is told all the same, and soon."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from mngen.checks import programs

SBATCH = "#!/bin/bash\n#SBATCH --partion=gpu\ntrue\n"
DOCKERFILE = "FROM ubuntu:24.04\nRUN cd /opt\nRUN pip install -no-deps x\n"
WAYS = {"hangs": "exec sleep 60", "has a child that hangs": "sleep 6", "talks and hangs": "echo '{'; exec sleep 60"}
AT_MOST = 4.0


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_SECONDS", 0.2)
    monkeypatch.setattr(programs, "_SECONDS_A_TEXT", 0.1)


def found(result) -> list[tuple[str, str, str | None]]:
    items = json.loads(result.out)["diagnostics"]
    return [(item["code"], item["severity"], (item["span"] or {}).get("file")) for item in items]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("linter", ["shellcheck", "hadolint"])
def test_own_findings_are_told_with_a_warning_for_each_file(mngen, stub, linter, way) -> None:
    stub(linter, WAYS[way])
    names = {"shellcheck": ("a.sbatch", "b.sbatch"), "hadolint": ("Dockerfile.a", "Dockerfile.b")}[linter]
    for name in names:
        Path(name).write_text({"shellcheck": SBATCH, "hadolint": DOCKERFILE}[linter])
    own = found(mngen("lint", "--no-lint", *names, "--format", "json"))
    began = time.monotonic()
    result = mngen("lint", *names, "--format", "json")
    assert time.monotonic() - began < AT_MOST
    assert own
    assert [item for item in found(result) if item[0] != "MN921"] == own
    assert [item for item in found(result) if item[0] == "MN921"] == [("MN921", "warning", name) for name in names]
    assert f"warning[MN921]: `{linter}` did not end within 0.2 s and was given up" in mngen("lint", *names).err


@pytest.mark.parametrize("linter", ["shellcheck", "hadolint"])
def test_rendered_files_are_not_blamed_for_it(mngen, stub, described, linter) -> None:
    stub(linter, "exec sleep 60")
    result = mngen("validate", described, "--format", "json")
    assert ("MN921", "warning", None) in found(result)
    assert result.status == 0
    assert mngen("validate", "--strict", described).status == 1
    assert mngen("render", described, "-o", "out").status == 0
    assert Path("out/README.md").is_file()


@pytest.mark.parametrize("command", ["validate", "render"])
def test_bash_that_does_not_end_is_given_up(mngen, stub, command) -> None:
    stub("bash", "exec sleep 60")
    text = "apiVersion: mngen/v1\nname: n\ndriver: {command: x}\nsetup: echo $(id)\ntargets: {t: {kind: slurm}}\n"
    Path("m.yaml").write_text(text)
    began = time.monotonic()
    result = mngen(command, "--no-lint", "m.yaml")
    assert time.monotonic() - began < AT_MOST
    assert (result.status, result.err) == (3, "error: `bash` did not end within 0.2 s\n")
    assert not Path("out").exists()


def test_many_texts_have_more_time(monkeypatch) -> None:
    monkeypatch.setattr(programs, "_SECONDS", 60.0)
    monkeypatch.setattr(programs, "_SECONDS_A_TEXT", 3.0)
    for texts, seconds in ((1, 60), (20, 60), (21, 63), (500, 1500)):
        process = programs.start(["true"], texts)
        assert programs._limits[process].seconds == seconds
        assert programs.finish(process) == (0, "", "")
