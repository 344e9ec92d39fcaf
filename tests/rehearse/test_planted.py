"""A bug planted in a launch file changes the verdict, and what is said names it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from launch_files import GOLDEN, made, one, wrong

JOB = GOLDEN / "minimal/out/slurm/job.sbatch"


@dataclass(frozen=True)
class Bug:
    """What is written instead of what, and the round that shows it."""

    old: str
    new: str
    shown_by: str
    said: str


BUGS = {
    "wrong address": Bug(
        '    || fail 75 "no address on the way',
        '    ; HEAD_IP=127.0.0.1\n  [[ -n ${HEAD_IP} ]] || fail 75 "no address on the way',
        "plain",
        "did not",
    ),
    "lost exit status": Bug(
        'status=$(readlink "${JOB_DIR}/driver.status")', "status=0", "driver-fails", "it ended with status 0"
    ),
    "missing trap": Bug("trap 'CANCELLED=1; finish 143' TERM INT", "trap - EXIT", "cancel", "there is no such line"),
    "port clash": Bug("--node-manager-port=$((first + 5))", '--node-manager-port="${first}"', "plain", "did not"),
    "worker never joins": Bug(
        'role=(--address="${HEAD_ADDRESS}")', 'role=(--address="${HEAD_IP}:9")', "plain", "node2 did not"
    ),
}


@pytest.mark.parametrize("plain", [False, True], ids=["namespaces", "processes"])
@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_changes_the_verdict(name: str, plain: bool, tmp_path: Path) -> None:
    bug = BUGS[name]
    text = JOB.read_text()
    assert bug.old in text, "the file has changed"
    planted = tmp_path / "job.sbatch"
    planted.write_text(text.replace(bug.old, bug.new))
    found, outcome = wrong(made(planted, plain=plain), one(bug.shown_by, ready_s=4))
    assert found, outcome.log
    assert any(bug.said in check.wrong for check in found), (found, outcome.log)
