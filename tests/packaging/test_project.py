"""The files that other programs read: Makefile, hooks, workflow."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest
import yaml

from mngen.cli.app import group

ROOT = Path(__file__).resolve().parents[2]
HOOKS = yaml.load((ROOT / ".pre-commit-hooks.yaml").read_text(), Loader=yaml.CSafeLoader)
TARGETS = [
    *("help", "install", "demo", "test", "lint", "fmt", "types", "golden"),
    *("docs", "drift", "wheel", "clients", "test-real", "test-engines", "matrix", "test-real-all"),
    *("mutate", "bench", "bench-bootstrap", "bench-scale", "ci", "clean"),
]


def test_the_makefile_explains_itself() -> None:
    done = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_can_be_planned(target) -> None:
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_wheel_that_is_shipped_is_the_one_that_is_tested(tmp_path) -> None:
    words = ["make", "--no-print-directory", "-n", "wheel"]
    planned = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    *_, build, test = planned.splitlines()
    assert build.endswith(" --outdir dist")
    assert test.split()[0] == "WHEEL_FOLDER=dist"
    with zipfile.ZipFile(tmp_path / "mngen-1-py3-none-any.whl", "w"):
        pass
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/packaging/test_wheel.py"]
    command += ["-k", "exactly_the_files"]
    env = os.environ | {"WHEEL_FOLDER": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert "not in the wheel" in done.stdout


def test_the_makefile_names_files_that_exist() -> None:
    named = re.findall(r"[\w/.]+\.(?:py|sh)\b", (ROOT / "Makefile").read_text())
    assert [name for name in named if "*" not in name and not (ROOT / name.removeprefix("../../")).is_file()] == []


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_hooks_call_commands_that_exist(hook) -> None:
    program, name, *options = shlex.split(hook["entry"])
    assert program == "mngen"
    command = group.get_command(click.Context(group), name)
    assert command is not None
    known = {option for parameter in command.params for option in parameter.opts}
    assert set(options) <= known
    assert hook["language"] == "python"


def test_the_validating_hook_finds_manifests() -> None:
    (hook,) = [hook for hook in HOOKS if hook["id"] == "mngen-validate"]
    assert re.search(hook["files"], "golden/minimal/manifest.yaml")
    assert not re.search(hook["files"], "golden/minimal/out/gcp/task.sky.yaml")


def test_the_workflow_runs_targets_that_exist() -> None:
    text = (ROOT / ".github/workflows/ci.yml").read_text()
    called = set(re.findall(r"run: make (\w+)", text))
    assert called <= set(TARGETS)
    assert "drift" in called
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
