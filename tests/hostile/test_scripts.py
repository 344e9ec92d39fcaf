"""The user's shell texts: whatever they hold, they stay inside their here-documents until they are meant to run."""

import subprocess
from pathlib import Path

import pytest
from files import functions, rendered
from packed import DRIVER, HEAD, Sorted, counted, sort
from values import DELIMITERS, SENTINEL, pool

QUICK_CAT = "cat() { IFS= read -r -d '' all || true; printf '%s' \"${all}\"; }\n"
"""Saves thousands of processes; that the shell hands a here-document's text on is what counts."""
TEXTS = ("host_setup", "setup", "preflight", "cleanup")


@pytest.fixture(scope="module")
def steps() -> Sorted:
    """All values, each as one step of `prepare`."""
    head = HEAD + DRIVER + "prepare:\n"
    return sort(pool(), head, lambda _, text: f"  - run: {text}", "targets: {job: {kind: slurm}}\n")


def test_many_values_are_tried(steps: Sorted) -> None:
    counted("setup and prepare text", pool(), steps.refused)


def test_what_is_refused_is_no_text_or_empty(steps: Sorted) -> None:
    for value, code in steps.refused.items():
        allowed = {
            "MN100": any(0xD800 <= ord(char) <= 0xDFFF for char in value),
            "MN104": "\0" in value,
            "MN106": not value.strip(),
        }
        assert allowed[code], (value, code)


def test_each_text_is_written_as_it_is_and_nothing_runs(steps: Sorted, tmp_path: Path) -> None:
    write(steps, tmp_path, QUICK_CAT, range(1, len(steps.accepted) + 1))
    assert_written(steps, tmp_path, range(1, len(steps.accepted) + 1))


def test_end_marks_are_written_by_the_real_cat_too(steps: Sorted, tmp_path: Path) -> None:
    numbers = [steps.accepted.index(value) + 1 for value in DELIMITERS]
    write(steps, tmp_path, "", numbers)
    assert_written(steps, tmp_path, numbers)


@pytest.mark.parametrize("name", TEXTS)
def test_every_kind_of_text_avoids_its_own_end_mark(name: str, tmp_path: Path) -> None:
    mark = name.upper()
    value = f"{mark}\n{mark}_END_2\n {mark}_END_3\ntouch {SENTINEL}\n"
    head = HEAD + DRIVER
    found = sort([value], head, lambda _, text: f"{name}: {text}", "targets: {job: {kind: slurm}}\n")
    run(functions(rendered(found.manifest)["job/job.sbatch"]) + f"write_{name}\n", tmp_path)
    assert (tmp_path / f"{name}.sh").read_text() == value
    assert not (tmp_path / SENTINEL).exists()


def write(steps: Sorted, folder: Path, before: str, numbers: range | list[int]) -> None:
    """Run the functions that write some of the steps."""
    calls = "".join(f"write_prepare_{number}\n" for number in numbers)
    run(functions(rendered(steps.manifest)["job/job.sbatch"]) + before + calls, folder)


def run(script: str, folder: Path) -> None:
    """Run a script that must succeed and say nothing."""
    (folder / "job.sh").write_text(script)
    env = {"JOB_DIR": str(folder), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["bash", "job.sh"], cwd=folder, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def assert_written(steps: Sorted, folder: Path, numbers: range | list[int]) -> None:
    """Each file holds its text, with a line break at the end, and nothing else came to be."""
    for number in numbers:
        value = steps.accepted[number - 1]
        found = (folder / f"prepare_{number}.sh").read_bytes().decode()
        assert found == (value if value.endswith("\n") else value + "\n")
    assert not (folder / SENTINEL).exists()
