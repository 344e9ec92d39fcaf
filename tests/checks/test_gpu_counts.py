"""Counts of GPUs, tasks and nodes that sbatch refuses together, and those that it takes."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_foreign
from mngen.checks.options import parse_command

# options of one job: a part of what is said of them
REFUSED = {
    "--nodes=2 --ntasks-per-node=1 --gpus=4 --gpus-per-task=4": "--gpus=4 and --gpus-per-task=4 make 1 task",
    "--ntasks=2 --gpus=4 --gpus-per-task=4": "--ntasks=2",
    "-n 4 -G 4 --gpus-per-task=2": "--ntasks=4",
    "--ntasks=2 --gpus=a100:4 --gpus-per-task=a100:1": "make 4 tasks",
    "--nodes=2 --gpus=6 --gpus-per-task=1": "--nodes=2",
    "--gpus=6 --gpus-per-task=4": "--gpus=6 is no multiple of --gpus-per-task=4",
    "--gpus=2 --gpus-per-task=4": "--gpus=2 is no multiple",
    "--nodes=4 --gpus=2": "--gpus=2 is less than --nodes=4",
    "--nodes=2 --gpus=4 --gpus-per-node=4": "--gpus=4 and --gpus-per-node=4 make 1 node",
    "--nodes=2 --gpus=6 --gpus-per-node=4": "--gpus=6 is no multiple of --gpus-per-node=4",
    "--nodes=1 --ntasks=3 --gpus-per-node=4 --gpus-per-task=3": "--gpus-per-node=4 is no multiple",
    "--nodes=1 --ntasks-per-node=4 --gpus-per-node=4 --gpus-per-task=2": "--ntasks-per-node=4",
}
TAKEN = (
    *("--nodes=2 --ntasks-per-node=1 --gpus=8 --gpus-per-task=4", "--ntasks=2 --gpus=8 --gpus-per-task=4"),
    *("--nodes=2 --gpus=8 --gpus-per-node=4", "--gpus=8 --gpus-per-task=4", "--nodes=2 --gpus=2", "--gpus=3 -N 2"),
    *("--nodes=2 --ntasks-per-node=4 --gpus-per-task=1 --gpus-per-node=4", "--ntasks=2 --gpus-per-task=4"),
    # of another model, of several, or not in plain numbers
    *(
        "--ntasks=2 --gpus=a100:4 --gpus-per-task=4",
        "--nodes=2 --gpus=a:1,b:1",
        "--ntasks=2 --gpus=$N --gpus-per-task=4",
    ),
    # a range, which makes no number of tasks, and one that holds what the others make
    *("--nodes=1-2 --ntasks-per-node=1 --gpus=4 --gpus-per-task=4", "--nodes=1-2 --gpus=4 --gpus-per-node=4"),
    # without a number of tasks it is left open by --cpus-per-task
    "--nodes=2 --cpus-per-task=8 --gpus=8 --gpus-per-task=2",
    # another cluster may have other plugins, so sbatch does not ask, and slurmctld counts anew
    "--clusters=other --ntasks=2 --gpus=4 --gpus-per-task=4",
)


@pytest.mark.parametrize("options", REFUSED)
def test_counts_that_do_not_fit_are_refused(options: str) -> None:
    (problem,) = parse_command("sbatch", options.split())
    assert REFUSED[options] in problem


@pytest.mark.parametrize("options", TAKEN)
def test_counts_that_fit_are_taken(options: str) -> None:
    assert [problem for problem in parse_command("sbatch", options.split()) if "is not a" not in problem] == []


def test_a_step_has_counts_of_its_own() -> None:
    assert parse_command("srun", ["--ntasks=2", "--gpus=4", "--gpus-per-task=4", "x"]) == []


def test_a_job_is_told_at_its_last_option() -> None:
    text = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n#SBATCH --gpus=4\n#SBATCH --gpus-per-task=4\n"
    (found,) = (item for item in check_foreign(text + "srun x\n", "a.sbatch", lint=False) if item.code == "MN732")
    assert found.severity.value == "error"
    assert found.hint == "correct the value"
    assert found.span is not None
    assert found.span.line == 3
