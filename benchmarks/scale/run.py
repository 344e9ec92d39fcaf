"""Measure the start of jobs of many nodes; `make bench-scale` writes docs/scale.md.

A real Slurm with one slurmd a node, and the stand-ins of `mngen rehearse`, as far as this machine holds that many
nodes, which all run the whole file; beyond that its batch shell and head alone (`replay`). In place of Ray is a program
that only joins (`tests/real/stub`).
"""

import argparse
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# tests/real is on the path.
import machine
import many
import real_scale
import software
from cells import FULL_RAY, RAYS
from lab import Lab
from lab_files import LAB, Shape
from page import write

from mngen.rehearse.cluster import Cluster, Options

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SLURM = "22.05"
PATIENCE = 900  # seconds; two processors are a thousand nodes
MISSING = 37


@dataclass(frozen=True, slots=True)
class Sample:
    """One job.

    Attributes:
        controller: Whose programs it called: `slurmctld`, `stand-in` or `replay`.
        nodes: How many nodes it asked for.
        missing: How many of them were told not to join.
        calls: How often its programs called the controller.
        seconds: From the start of the batch shell to the driver; where nodes are missing, to the job's end.
        line: What it said of who has joined.
    """

    controller: str
    nodes: int
    missing: int
    calls: int
    seconds: float
    line: str


def _absent(nodes: int, missing: int) -> list[str]:
    return [f"node{nodes - index}" for index in range(missing)]


def _timeout(missing: int, nodes: int) -> str:
    return f"ray.ready_timeout={30 + min(nodes, 256) // 4 if missing else PATIENCE}"


def with_slurm(nodes: int, missing: int) -> Sample:
    """Run one job on a real Slurm."""
    lab = Lab(Shape(nodes=nodes, slurm=SLURM))
    try:
        lab.start()
        lab.folders("alice", f"{LAB}/stub", f"{LAB}/stub/joined")
        many.absent(_absent(nodes, missing), lab.path(f"{LAB}/stub/joined"))
        outcome = real_scale.start(lab, _timeout(missing, nodes)).wait(PATIENCE)
        return sample("slurmctld", nodes, missing, real_scale.calls(lab), outcome.log, outcome.seconds)
    finally:
        lab.close()


def with_stand_ins(nodes: int, missing: int) -> Sample:
    """Run one job on simulated nodes, where each call of a Slurm program is written down."""
    cluster = Cluster(Options(nodes=nodes, gpus=8))
    try:
        job = bring(cluster, nodes, missing)
        began = time.monotonic()
        log = cluster.sbatch(job, timeout=PATIENCE).log
        ended = time.monotonic() - began
        calls = sum(len(cluster.records(kind)) for kind in ("srun", "scontrol", "scancel", "sbatch"))
        return sample("stand-in", nodes, missing, calls, log, ended)
    finally:
        cluster.close()


def with_a_replay(nodes: int, missing: int) -> Sample:
    """Run the batch shell and the head of a job; what the other nodes do towards them is done without their shells."""
    cluster = Cluster(Options(nodes=2, gpus=8))
    try:
        job = bring(cluster, nodes, missing)
        calls = cluster.work / "calls"
        env = {
            "PATH": f"{HERE / 'replay'}:{cluster.environment()['PATH']}",
            "CALLS": str(calls),
            "JOINED": str(cluster.home / "stub" / "joined"),
            "REPLAYED": str(nodes),
            "SLURM_JOB_ID": "1",
            "SLURM_JOB_NODELIST": f"node[1-{nodes}]",
            "SLURM_SUBMIT_DIR": str(cluster.work),
        }
        began = time.monotonic()
        done = cluster.run(["bash", str(job)], node="node1", env=env, timeout=PATIENCE)
        ended = time.monotonic() - began
        made = 1 + len(calls.read_text().split())  # the first is sbatch
        return sample("replay", nodes, missing, made, done.stdout + done.stderr, ended)
    finally:
        cluster.close()


def bring(cluster: Cluster, nodes: int, missing: int) -> Path:
    """Render the job and put it, and the stand-in for Ray, where the nodes see them; the job's path."""
    stub = cluster.home / "stub"
    shutil.copytree(many.STUB, stub)
    (stub / "joined").mkdir()
    many.absent(_absent(nodes, missing), stub / "joined")
    with tempfile.TemporaryDirectory() as scratch:
        many.example(nodes, str(stub), _timeout(missing, nodes)).render(Path(scratch))
        shutil.copytree(Path(scratch) / "out", cluster.work / "out")
    (cluster.work / "logs").mkdir()  # as submit.sh does
    return cluster.work / "out/slurm/job.sbatch"


def sample(controller: str, nodes: int, missing: int, calls: int, log: str, ended: float) -> Sample:
    """What a log says."""
    seconds = ended if missing else many.driver_after(log)
    return Sample(controller, nodes, missing, calls, seconds, many.state_line(log, nodes - missing, nodes))


def main() -> int:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slurm", type=int, nargs="*", default=[2, 64, 128, 256], help="nodes with a real Slurm")
    parser.add_argument("--stand-ins", type=int, nargs="*", default=[2, 256], help="nodes with stand-ins")
    parser.add_argument("--replay", type=int, nargs="*", default=[2, 1000], help="nodes of which the head's shells run")
    options = parser.parse_args()
    try:
        machine.check_machine()
        software.get_all((SLURM,), {FULL_RAY: RAYS[FULL_RAY]})
    except machine.Unavailable as error:
        sys.stderr.write(f"bench-scale: {error}\n")
        return 3
    samples = []
    ways = {with_slurm: options.slurm, with_stand_ins: options.stand_ins, with_a_replay: options.replay}
    for way, counts in ways.items():
        runs = [(nodes, 0) for nodes in counts] + [(nodes, min(MISSING, nodes // 2)) for nodes in counts[-1:]]
        for nodes, missing in runs:
            samples.append(way(nodes, missing))
            sys.stderr.write(f"{samples[-1]}\n")
    write(samples, SLURM, ROOT / "docs" / "scale.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
