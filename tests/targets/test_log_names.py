"""Which log submit.sh names, for each of sbatch's file name patterns."""

from __future__ import annotations

import getpass
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import documents

USER = getpass.getuser()
KNOWN = {
    "x-%j.out": "x-7.out",
    "x-%5j.out": "x-00007.out",
    "x-%05A.out": "x-00007.out",
    "x-%99j.out": "x-0000000007.out",  # sbatch(1): at most ten digits
    "%x-%u.out": f"train-{USER}.out",
    "%4x.%3u": f"train.{USER}",  # what is no number is not padded
    "100%%/%j": "100%/7",
    "a %u b-%j": f"a {USER} b-7",
    "%q-%j": "%q-7",  # no pattern at all
    "%5a-%j": "*-7",
}
UNKNOWN = ("x-%N.out", "%j-%n", "%s-%t", "%J.out", "%3N", "%u-%b")


def _said(tmp_path: Path, **slurm: object) -> list[str]:
    """The lines of submit.sh, with an sbatch that gives the number 7."""
    (tmp_path / "sbatch").write_text("#!/bin/bash\necho 7\n")
    (tmp_path / "sbatch").chmod(0o755)
    script = tmp_path / "out/a/submit.sh"
    script.parent.mkdir(parents=True)
    script.write_text(documents.files("slurm", {"slurm": slurm})["submit.sh"])
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}  # USER is no variable of every shell
    done = subprocess.run(["bash", str(script)], env=env, capture_output=True, text=True, check=True)
    return [line.strip() for line in done.stdout.splitlines()]


def _log(lines: list[str]) -> list[str]:
    (line,) = [line for line in lines if line.startswith("log:")]
    return shlex.split(line.removeprefix("log:"))


@pytest.mark.parametrize("pattern", KNOWN)
def test_what_the_submitting_shell_knows_is_filled_in(tmp_path: Path, pattern: str) -> None:
    assert _log(_said(tmp_path, output=f"l-{pattern}")) == ["tail", "-F", f"l-{KNOWN[pattern]}"]


@pytest.mark.parametrize("pattern", UNKNOWN)
def test_what_only_the_running_job_knows_is_left_to_slurm(tmp_path: Path, pattern: str) -> None:
    lines = _said(tmp_path, output=pattern)
    assert not [line for line in lines if "tail" in line]
    assert _log(lines)[:4] == ["scontrol", "show", "job", "7"]


@pytest.mark.parametrize(
    ("output", "folder"),
    [("l/%u/x-%j", f"l/{USER}"), ("%u/100%%/%j", f"{USER}/100%"), ("l%go/%j", "l%go"), ("a b/%j", "a b")],
)
def test_a_folder_that_the_submitting_shell_knows_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    _said(tmp_path, output=output)
    found = [path for path in (tmp_path, tmp_path / "out/a") if (path / folder).is_dir()]
    assert len(found) == 1


def test_messages_that_cannot_be_named_are_left_out(tmp_path: Path) -> None:
    assert _log(_said(tmp_path, output="o-%j", error="e-%N")) == ["tail", "-F", "o-7"]


@pytest.mark.parametrize(
    ("array", "pattern", "name"),
    [
        ("3-9", "%A_%a", "7_3"),
        ("3-9", "%5A_%4a", "00007_0003"),
        ("3-9", "%5j", "*"),
        ("13-19", "%A.%b", "7.3"),
    ],
)
def test_a_job_array_has_its_first_task_named(tmp_path: Path, array: str, pattern: str, name: str) -> None:
    assert _log(_said(tmp_path, array=array, output=pattern)) == ["tail", "-F", name]
