"""Stand-ins tell what is wrong with their words in sentences, as the programs do that they stand for."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator

import pytest

from mngen.rehearse.cluster import Cluster, Options
from mngen.rehearse.layout import STAND_INS

sys.path[:0] = [str(STAND_INS)]

from simlib import ray_checks, ray_cli, slurm_tables  # noqa: E402 - they are no package of this project's
from simlib.options import Table  # noqa: E402

SLURM = (24, 11)
TABLES = {
    "srun": slurm_tables.srun(SLURM, pyxis=True),
    "sbatch": slurm_tables.sbatch(SLURM, pyxis=True),
    "ray start --head": ray_checks.table((2, 52, 1)),
    **{f"ray job {name} job": Table(name, text) for name, text in ray_cli.JOB_TABLES.items()},
}
TAIL = {"srun": ["true"], "sbatch": ["--wrap=true"]}
HEAD = "ray start --head --node-ip-address=10.77.0.1 --port=7000 --temp-dir=/tmp/r --block"


@pytest.fixture(scope="module")
def sim() -> Iterator[Cluster]:
    """One node with all that is played, and a head at work."""
    cluster = Cluster(Options(nodes=1, pyxis=True, gpus=2, slurm="24.11"))
    cluster.spawn(HEAD.split(), node="node1")
    cluster.wait_record("ray_worker")
    yield cluster
    cluster.close()


def said(sim: Cluster, calls: list[list[str]]) -> dict[str, str]:
    """What each call says in a job of Slurm's; none takes longer than the node has patience for."""
    lines = [f"echo '@@ '{shlex.quote(shlex.join(call))}; timeout 2 {shlex.join(call)} </dev/null" for call in calls]
    log = sim.sbatch("\n".join(["#!/bin/bash", "exec 2>&1", *lines, ""]), timeout=300).log
    return dict(part.partition("\n")[::2] for part in log.split("@@ ")[1:])


@pytest.mark.parametrize("program", TABLES)
def test_an_option_with_a_value_that_means_nothing_is_no_crash(sim: Cluster, program: str) -> None:
    calls = []
    for name, (_, kind) in TABLES[program].long.items():
        given = ["--" + name] if not kind else [f"--{name}={value}" for value in ("x:", "")]
        calls += [[*program.split(), option, *TAIL.get(program, [])] for option in given if name != "help"]
    found = said(sim, calls)
    assert len(found) == len(calls)
    assert [call for call, text in found.items() if "Traceback" in text] == []


@pytest.mark.parametrize("program", ["docker", "podman", "apptainer", "scontrol", "scancel", "squeue", "sacct", "ray"])
def test_words_that_mean_nothing_are_no_crash(sim: Cluster, program: str) -> None:
    commands = ("", "x", "run", "exec", "inspect", "rm", "show", "show job", "update", "requeue", "job", "job status")
    options = ("", "x", "--rm", "-x", "--x=y", "--bind", "-v /nope:/x i:1 true", "--memory=x i:1 true", "i:1 /nope")
    calls = [[program, *command.split(), *option.split()] for command in commands for option in options]
    found = said(sim, calls)
    assert [call for call, text in found.items() if "Traceback" in text] == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("srun --gpus=x true", "Invalid generic resource (gres) specification"),
        ("srun --gres=gpu:9 true", "Invalid generic resource (gres) specification"),
        ("sbatch --mem=x --wrap=true", "Invalid --mem specification"),
        ("sbatch --signal=x --wrap=true", "Invalid --signal specification"),
        ("ray start --head --resources=-1", "`--resources` is not a valid JSON string"),
        ("ray job submit --runtime-env=nope.yaml -- true", "No such file or directory: 'nope.yaml'"),
        ("ray job submit --runtime-env-json={ -- true", "JSONDecodeError: "),
        ("ray job status", "Missing argument"),
    ],
)
def test_the_sentence_is_the_programs(sim: Cluster, words: str, why: str) -> None:
    (text,) = said(sim, [shlex.split(words)]).values()
    assert why in text, text


def test_gpus_of_a_step_are_written_in_four_ways(sim: Cluster) -> None:
    job = "#!/bin/bash\n#SBATCH --gpus-per-node=2\n" + "".join(
        f"srun --gres={text} bash -c 'echo $CUDA_VISIBLE_DEVICES'\n"
        for text in ("gpu", "gpu:1", "gpu:a100", "gpu:a100:1")
    )
    assert sim.sbatch(job).log.split() == ["0"] * 4
