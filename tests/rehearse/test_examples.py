"""Every kind of launch file among the examples is rehearsed, each with one thing going wrong; all come to a good end."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_files import GOLDEN, made, one, wrong

from mngen.rehearse.rounds import FAULTS

ROUNDS = {
    "everything/plain": "retry",
    "everything/sif": "too-few-gpus",
    "everything/dock": "cancel",
    "everything/pod": "service-dies",
    "everything/squash": "time-limit",
    "everything/shift": "worker-lost",
    "everything/sky": "plain",
    "everything/stack": "foreign-ray",
    "everything/hands": "secret-missing",
    "everything/hands-docker": "too-few-gpus",
    "design/amd": "ray-differs",
    "locked/docker": "batch-killed",
    "minimal/slurm": "node-silent",
    "offline/apptainer": "shm-full",
    "ray-manual/slurm": "requeue",
    "ray-manual/hosts": "head-lost",
    "search-r1/slurm": "service-never-ready",
    "sglang-2x8/hosts": "worker-never-joins",
    "verl-amd-slurm/podman": "plain",
    "verl-amd-slurm/hosts": "too-few-gpus",
    "verl-dstack/attached": "loopback-name",
    "verl-dstack/sky": "driver-fails",
    "verl-gsm8k-skypilot/gcp": "worker-never-joins",
    "verl-gsm8k-slurm/pyxis": "too-few-gpus",
    "verl-gsm8k-slurm/sif-ib": "fabric-down",
}
"""Each example, and each way to run at least once."""


def folder(name: str) -> Path:
    example, target = name.split("/")
    return GOLDEN / example / "out" / target


def test_each_example_and_each_fault_has_its_run() -> None:
    assert {path.parent.name for path in GOLDEN.glob("*/manifest.yaml")} == {name.partition("/")[0] for name in ROUNDS}
    assert set(ROUNDS.values()) == {"plain", *FAULTS}


@pytest.mark.parametrize("name", ROUNDS)
def test_an_example_comes_to_the_end_that_it_should(name: str) -> None:
    found, outcome = wrong(made(folder(name)), one(ROUNDS[name]))
    assert found == [], outcome.log


def test_a_job_that_is_requeued_at_its_time_limit_runs_twice() -> None:
    found, outcome = wrong(made(folder("design/amd")), one("time-limit"))
    assert found == [], outcome.log
    assert len(outcome.drivers) == 2


@pytest.mark.parametrize("fault", ["requeue", "time-limit", "retry"])
def test_one_task_of_an_array_is_what_a_rehearsal_puts_back(fault: str, tmp_path: Path) -> None:
    text = (GOLDEN / "everything/out/plain/job.sbatch").read_text()
    job = tmp_path / "job.sbatch"
    job.write_text(text.replace("#SBATCH --nodes=4\n", "#SBATCH --nodes=4\n#SBATCH --array=2-3\n"))
    found, outcome = wrong(made(job), one(fault))
    assert found == [], outcome.log


@pytest.mark.parametrize("fault", ["worker-lost", "node-silent"])
def test_a_job_that_goes_on_without_a_node_is_not_asked_to_end(fault: str) -> None:
    (round_,) = [one(fault)]
    applies = {name: all(map(made(folder(name)).has, round_.needs)) for name in ("everything/squash", "minimal/slurm")}
    assert applies == {"everything/squash": False, "minimal/slurm": True}


def test_more_nodes_and_another_network_than_the_file_says() -> None:
    ready = made(folder("minimal/slurm"), nodes=3, network="ipv6")
    found, outcome = wrong(ready, one("plain"))
    assert found == [], outcome.log
    assert sorted(outcome.joined) == ["node1", "node2", "node3"]
    assert "3 of 3 nodes, 24 of 24 GPUs" in outcome.log
    assert "fd77::1" in outcome.log
