"""The gate: what it runs, and how a machine that cannot run the real thing is told from a failure."""

import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]


def gate(folder: Path, *, test: int, get: int, real: int = 0) -> "subprocess.CompletedProcess[str]":
    """Run the gate in a folder where each part ends as told."""
    for path, text in {
        ".ci/run": (ROOT / ".ci" / "run").read_text(),
        ".venv/bin/python": f'#!/bin/sh\necho "python $*" >&2\nexit {get}\n',
        "bin/make": f'#!/bin/sh\necho "make $*"\ncase $1 in test) exit {test} ;; *) exit {real} ;; esac\n',
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
        (folder / path).chmod(0o755)
    env = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin"}
    return subprocess.run([folder / ".ci" / "run"], env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("test", "get", "real", "status", "words"),
    [
        (0, 0, 0, 0, "make test-real: exit status 0 after"),
        (0, 0, 2, 2, "make test-real: exit status 2 after"),
        (2, 0, 0, 2, "make test: exit status 2 after"),
        (0, 3, 0, 0, "make test-real DID NOT RUN"),
        (2, 3, 0, 2, "make test-real DID NOT RUN"),
        (0, 1, 0, 1, "make test: exit status 0 after"),
    ],
)
def test_each_part_counts(tmp_path: Path, test: int, get: int, real: int, status: int, words: str) -> None:
    """The first part's failure does not keep the second from running; a missing precondition is no failure."""
    done = gate(tmp_path, test=test, get=get, real=real)
    assert done.returncode == status
    assert words in done.stdout
    assert ("make test-real\n" in done.stdout) == (get == 0)
    assert "tests/real/run.py --get --within 17" in done.stderr


def test_the_public_gate_lets_its_tests_make_namespaces() -> None:
    """Ubuntu's AppArmor keeps them from plain users, which `make test` needs them as."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    runs = [[step.get("run", "") for step in job["steps"]] for job in workflow["jobs"].values()]
    whole = [steps for steps in runs if ".ci/run" in steps]
    assert whole
    for steps in whole:
        assert "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" in steps[: steps.index(".ci/run")]


@pytest.mark.parametrize(
    ("python", "words"), [("python3.99", "there is no command python3.99;"), ("false", "false is older than 3.10;")]
)
def test_a_python_that_will_not_do_is_told_from_none(tmp_path: Path, python: str, words: str) -> None:
    """Each with the command that goes on."""
    for name in ("Makefile", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    done = subprocess.run(
        ["make", "-s", "install", f"PYTHON={python}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert done.stderr.startswith(f"{words} run: make install PYTHON=python3.12\n")
