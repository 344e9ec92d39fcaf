"""A round that does not apply to a file is refused, with what is true of the file and what helps."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_files import GOLDEN, made, one, rendered

from mngen.rehearse.limits import not_exercised
from mngen.rehearse.missing import refusal
from mngen.rehearse.planning import plan
from mngen.rehearse.rounds import ROUNDS
from mngen.rehearse.shape import shape
from mngen.rehearse.subject import find

BASE = """\
apiVersion: mngen/v1
name: t
resources: {nodes: 2}
driver: {command: [train]}
targets: {a: {kind: slurm}}
"""
SAID = {
    ("driver-fails", ""): "",
    ("retry", ""): "does not retry",
    ("retry", "retry: {exit_codes: [7, 75]}\n"): "retries after 7, 75, and in this round it ends with 76",
    ("retry", "retry: {max: 2}\n"): "",
    ("worker-lost", "on_node_loss: continue\n"): "goes on without a node that it lost",
    ("worker-lost", ""): "",
    ("too-few-gpus", ""): "has no GPUs",
    ("service-dies", ""): "has no services",
}


@pytest.mark.parametrize(("name", "more"), SAID)
def test_what_a_file_lacks_is_said_as_it_is(name: str, more: str, tmp_path: Path) -> None:
    ready, round_ = made(rendered(tmp_path, BASE + more)), one(name)
    missing = [need for need in round_.needs if not ready.has(need)]
    said = [refusal(ready, round_, need) for need in missing]
    assert [error.message.partition("job.sbatch ")[2] for error in said] == [
        text for text in [SAID[name, more]] if text
    ]
    assert all(error.hint for error in said)


@pytest.mark.parametrize("name", [round_.name for round_ in ROUNDS if "driver" in round_.needs])
def test_a_driver_that_runs_itself_is_not_said_to_be_missing(name: str) -> None:
    subject = find(GOLDEN / "minimal/out/slurm")
    whole = shape(subject, None, None)
    ready = plan(subject, whole, len(whole.names), run_driver=True, run_texts=False)
    error = refusal(ready, one(name), "driver")
    assert "runs its own driver, and only a stand-in ends as a round wants it" in error.message
    assert error.hint == "leave --run-driver out"


@pytest.mark.parametrize("need", sorted({need for round_ in ROUNDS for need in round_.needs} - {"network"}))
def test_each_need_has_its_words_and_its_hint(need: str, tmp_path: Path) -> None:
    """Also for a file written by hand, whose manifest cannot be told to have something."""
    own = tmp_path / "own.sbatch"
    own.write_text("#!/bin/bash\n#SBATCH --nodes=1\n")
    (round_, *_) = [item for item in ROUNDS if need in item.needs]
    for file in (own, GOLDEN / "minimal/out/slurm"):
        error = refusal(made(file), round_, need)
        assert error.message.startswith((f"{round_.name} ", f"{round_.name}: "))
        assert error.hint
        assert file != own or "manifest" not in error.hint


def test_retries_that_are_kept_away_are_listed() -> None:
    line = "retries: a failure is the end (RETRY_MAX=0) in every round but `retry`"
    assert line in not_exercised(made(GOLDEN / "everything/out/plain"))
    assert line not in not_exercised(made(GOLDEN / "minimal/out/slurm"))
