"""The stand-ins for Slurm, which tests and rehearsals use, beside the real one: the same script on both."""

import re
from collections.abc import Callable

import pytest
from footprint import Before
from jobs import Job
from lab import Lab
from lab_files import HOME, SUITES, Shape

from mngen.rehearse.cluster import Cluster, Options

# The options of the one step that every generated file has.
SRUN = "srun --nodes=2 --ntasks=2 --ntasks-per-node=1 --cpus-per-task=2 --overlap --kill-on-bad-exit=1 --export=ALL"
SCRIPT = f"""#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=2
#SBATCH --output=probe-%j.out
show() {{ env | sed -n "s/^\\(SLURM\\|CUDA\\|ROCR\\|HIP\\|GPU_DEVICE\\)/$1 &/p"; }}
export -f show
echo "arguments $# $1"
show batch
echo over stdin | {SRUN} bash -c 'show "task${{SLURM_NODEID}}"; read -r line; echo "read${{SLURM_NODEID}} ${{line}}"'
{SRUN} bash -c 'if ((SLURM_NODEID == 1)); then exit 3; fi; sleep 60'
echo "status of a failed task $?"
{SRUN} true
echo "status of a good one $?"
{SRUN} bash -c 'trap "echo told${{SLURM_NODEID}}; exit 0" USR2; echo up; while :; do sleep 0.1; done' >told &
until [[ $(grep -c up told 2>&1) == 2 ]]; do sleep 0.1; done
kill -USR2 $!
wait $!
echo "status of a step that was told $?"
sort told
scontrol show hostnames "${{SLURM_JOB_NODELIST}}"
exit 5
"""
# What the generated files read.
NAMES = {
    *("SLURM_JOB_NODELIST", "SLURM_JOB_NUM_NODES", "SLURM_NODEID", "SLURM_PROCID", "SLURM_LOCALID"),
    *("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE", "SLURM_GPUS_ON_NODE", "SLURM_JOB_GPUS", "SLURM_STEP_GPUS"),
    *("SLURMD_NODENAME", "SLURM_RESTART_COUNT", "SLURM_GPUS_PER_NODE"),
    *("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"),
}
VARIABLE = re.compile(r"^(batch|task\d) (\w+)=")
# Slurm tells a task to end and kills it at once; which of the two comes first is a race of its own.
TOLD_OR_KILLED = re.compile(r"(?<=^status of a failed task )1(?:37|43)$")
SLURMS_OWN = re.compile(r"^(srun|slurmstepd\S*|\[\S+\]).*error|^srun: |^slurmstepd|^\[20|^Terminated|^User defined")


def said(log: str) -> list[str]:
    """What the script said, without Slurm's own messages and variables that no generated file reads."""
    lines = [line for line in log.splitlines() if not SLURMS_OWN.match(line)]
    kept = (line for line in lines if not (match := VARIABLE.match(line)) or match[2] in NAMES)
    return sorted(TOLD_OR_KILLED.sub("137 or 143", line) for line in kept)


OTHERS = [pytest.param(each, marks=pytest.mark.only_page) for each in SUITES if each != "24.11"]


@pytest.mark.parametrize("slurm", ["24.11", *OTHERS])
def real_stand_in(slurm: str, cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]) -> None:
    """Variables, stdin, signals and exit statuses are those of the real Slurm of that generation."""
    lab = cluster(Shape(slurm=slurm))
    home = f"{HOME}/alice/work"
    lab.folders("alice", home)
    lab.path(f"{home}/probe.sbatch").write_text(SCRIPT)
    before = Before.of(lab)
    argv = ["sbatch", "--parsable", "probe.sbatch", "it's one"]
    number = lab.run(*argv, user="alice", cwd=home).stdout.strip()
    outcome = Job(lab, number, home, "alice").wait(90)
    stand_in = Cluster(Options(nodes=2, slurm=slurm, gpus=8, cpus=256, constrain_gpus=False))
    try:
        done = stand_in.sbatch(SCRIPT, "it's one", timeout=60)
    finally:
        stand_in.close()
    assert said(done.log) == said(outcome.log)
    assert (done.state, f"{done.status}:0") == (outcome.state, outcome.exit_code)
    before.expect_nothing_left()
    record_property("end", f"{outcome.state} {outcome.exit_code}")
