"""``init``, ``schema`` and ``lint``."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from mngen.cli.init import PRESETS


def test_presets_are_the_files_that_are_shipped() -> None:
    shipped = {path.name for path in files("mngen.templates").joinpath("presets").iterdir()}
    assert shipped == {f"{name}.yaml" for name in PRESETS}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_renders_without_a_finding(mngen, preset) -> None:
    assert mngen("init", "--preset", preset, "--name", "mine").status == 0
    result = mngen("-q", "render", "manifest.yaml", "--strict")
    assert (result.status, result.err) == (0, "")
    assert json.loads(Path("out/.mngen.json").read_text())["manifest"] == "mine"


def test_init_does_not_overwrite_unless_forced(mngen) -> None:
    Path("manifest.yaml").write_text("mine")
    assert mngen("init").status == 2
    assert Path("manifest.yaml").read_text() == "mine"
    assert mngen("init", "--force").status == 0
    assert Path("manifest.yaml").read_text().startswith("# yaml-language-server: $schema=manifest.v1.schema.json\n")


def test_init_to_stdout_and_errors(mngen) -> None:
    assert "apiVersion: mngen/v1" in mngen("init", "-o", "-").out
    Path("file").write_text("")
    assert mngen("init", "-o", "file/below/file.yaml").status == 3
    assert mngen("init", "-o", "jobs/new/it's.yaml").err.startswith(
        "wrote jobs/new/it's.yaml; next: mngen validate 'jobs/new/it'\"'\"'s.yaml'\n"
    )
    assert mngen("init", "--name", "a: b").status == 2


@pytest.mark.parametrize("name", ["a" * 300, "1", ".", "-a", "A.b", "a"])
@pytest.mark.parametrize("preset", ["minimal", "dstack", "skypilot"])
def test_init_writes_no_manifest_with_a_name_that_is_refused(mngen, preset, name) -> None:
    result = mngen("init", "--preset", preset, f"--name={name}")
    assert result.status == (0 if Path("manifest.yaml").exists() else 2)
    if result.status == 0:
        assert mngen("validate", "manifest.yaml").status == 0
    assert result.status == 2 or len(name) < 300
    assert (preset, name, result.status) != ("dstack", "1", 0)


def test_a_schema_overwrites_itself_alone(mngen) -> None:
    assert mngen("schema", "-o", "s/x.json").err == "wrote s/x.json\n"
    assert mngen("schema", "-o", "s/x.json").err == "s/x.json is up to date\n"
    Path("s/x.json").write_text("mine")
    result = mngen("schema", "-o", "s/x.json")
    assert (result.status, Path("s/x.json").read_text()) == (2, "mine")
    assert "--force" in result.err
    assert mngen("schema", "-o", "s/x.json", "--force").status == 0
    assert Path("s/x.json").read_text() == mngen("schema").out


def test_lint_reports_with_the_line(mngen) -> None:
    Path("job.sbatch").write_text("#!/bin/bash\n#SBATCH --nodes=2\necho $1\n")
    result = mngen("lint", "job.sbatch")
    assert "[SC2086]" in result.err
    assert " 3 | echo $1\n" in result.err
    assert "[SC2086]" not in mngen("lint", "--no-lint", "job.sbatch").err


def test_lint_of_stdin_and_bytes(mngen) -> None:
    assert "<stdin>" in mngen("lint", "-", stdin="#!/bin/bash\necho $1\n").err
    assert "MN107" in mngen("lint", "-", stdin=b"#!/bin/bash\n\xff\n").err
    assert mngen("lint", "-", "-", stdin="").status == 2


def test_lint_of_a_clean_file_says_so(mngen) -> None:
    Path("a.sh").write_text("#!/bin/bash\nset -euo pipefail\necho hello\n")
    result = mngen("lint", "a.sh")
    assert result.status == 0
