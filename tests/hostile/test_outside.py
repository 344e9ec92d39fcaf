"""A driver that is submitted from outside: Ray joins its words in one of two ways, and a shell parts them again."""

import shlex
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from files import rendered
from packed import HEAD, Sorted, counted, sort
from values import BREAKS, PATTERNS, SENTINEL, pool

JOINERS: dict[str, Callable[[Sequence[str]], str]] = {"shlex": shlex.join, "windows": subprocess.list2cmdline}
"""What releases of Ray do with the words after `--` (python/ray/dashboard/modules/job/cli.py)."""
RAY = '#!/bin/bash\nwhile [[ $1 != -- ]]; do shift; done\nshift\nprintf "%s\\0" "$@" >"${RECORD}"\n'
DRIVER = '#!/bin/bash\nprintf "%s\\0" "$@" >"${RECORD}"\n'
ALONE = (*BREAKS[:8], *PATTERNS[:6], "", " ", "[ax]", "'", '"', "\\", "~", "a\n", "é")
TARGET = "targets: {job: {kind: manual}}\n"


@pytest.fixture(scope="module")
def args() -> Sorted:
    """Which values an argument may have."""
    head = HEAD + "driver:\n  submit: ray-job\n  from: outside\n  wait: false\n  command: [sim-driver]\n  args:\n"
    return sort(pool(), head, lambda _, text: f"    - {text}", TARGET)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the two programs."""
    for name, text in {"ray": RAY, "sim-driver": DRIVER}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    return tmp_path


def run(command: list[str], place: Path) -> list[str]:
    """What the program at the end of the command was called with."""
    record, work = place / "record", place / "work"
    work.mkdir(exist_ok=True)
    env = {"PATH": f"{place}:/usr/bin:/bin", "RECORD": str(record)}
    subprocess.run(command, cwd=work, env=env, check=True, capture_output=True)
    found = record.read_bytes().decode().split("\0")[:-1]
    record.unlink()
    assert not (work / SENTINEL).exists()
    return found


@pytest.mark.parametrize("joiner", JOINERS)
def test_every_value_of_the_manifest_arrives(joiner: str, args: Sorted, place: Path) -> None:
    counted("argument submitted from outside", pool(), args.refused)
    script = place / "submit.sh"
    script.write_text(rendered(args.manifest)["job/submit.sh"])
    words = run(["bash", str(script)], place)
    assert run(["sh", "-c", JOINERS[joiner](words)], place) == list(args.accepted)


@pytest.mark.parametrize("joiner", JOINERS)
def test_an_argument_of_the_command_line_arrives_alone(joiner: str, place: Path) -> None:
    found = sort(
        ["x"],
        HEAD,
        lambda _, text: "driver: {submit: ray-job, from: outside, wait: false, command: [sim-driver]}",
        TARGET,
    )
    script = place / "submit.sh"
    script.write_text(rendered(found.manifest)["job/submit.sh"])
    (place / "work").mkdir()
    for name in ("a", "x"):
        (place / "work" / name).touch()
    for value in ALONE:
        words = run(["bash", str(script), "start", value], place)
        assert run(["sh", "-c", JOINERS[joiner](words)], place) == [value]
