"""Measure the start of jobs of many nodes; `make bench-scale` writes docs/scale.md.

A real Slurm with one slurmd a node as far as this machine holds it, beyond that the stand-ins of `mngen rehearse`: the
generated file runs on every node all the same. In place of Ray is a program that only joins (`tests/real/stub`).
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

ROOT = Path(__file__).resolve().parents[2]
SLURM = "22.05"
PATIENCE = 900  # seconds; two processors are a thousand nodes
MISSING = 37


@dataclass(frozen=True, slots=True)
class Sample:
    """One job.

    Attributes:
        controller: Whose programs it called: `slurmctld` or `stand-in`.
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
    return f"ray.ready_timeout={30 + nodes // 4 if missing else PATIENCE}"


def with_slurm(nodes: int, missing: int) -> Sample:
    """Run one job on a real Slurm."""
    lab = Lab(Shape(nodes=nodes, slurm=SLURM))
    try:
        lab.start()
        lab.folders("alice", f"{LAB}/stub", f"{LAB}/stub/joined")
        many.absent(_absent(nodes, missing), lab.path(f"{LAB}/stub/joined"))
        job = real_scale.start(lab, _timeout(missing, nodes))
        outcome = job.wait(PATIENCE)
        seconds = outcome.seconds if missing else many.driver_after(outcome.log)
        line = many.state_line(outcome.log, nodes - missing, nodes)
        return Sample("slurmctld", nodes, missing, real_scale.calls(lab), seconds, line)
    finally:
        lab.close()


def with_stand_ins(nodes: int, missing: int) -> Sample:
    """Run one job on simulated nodes, where each call of a Slurm program is written down."""
    cluster = Cluster(Options(nodes=nodes, gpus=8))
    try:
        stub = cluster.home / "stub"
        shutil.copytree(many.STUB, stub)
        (stub / "joined").mkdir()
        many.absent(_absent(nodes, missing), stub / "joined")
        with tempfile.TemporaryDirectory() as scratch:
            many.example(nodes, str(stub), _timeout(missing, nodes)).render(Path(scratch))
            shutil.copytree(Path(scratch) / "out", cluster.work / "out")
        (cluster.work / "logs").mkdir()  # as submit.sh does
        began = time.monotonic()
        outcome = cluster.sbatch(cluster.work / "out/slurm/job.sbatch", timeout=PATIENCE)
        seconds = time.monotonic() - began if missing else many.driver_after(outcome.log)
        calls = sum(len(cluster.records(kind)) for kind in ("srun", "scontrol", "scancel", "sbatch"))
        return Sample("stand-in", nodes, missing, calls, seconds, many.state_line(outcome.log, nodes - missing, nodes))
    finally:
        cluster.close()


def main() -> int:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slurm", type=int, nargs="*", default=[2, 64, 128, 256], help="nodes with a real Slurm")
    parser.add_argument("--stand-ins", type=int, nargs="*", default=[2, 256, 1000], help="nodes with stand-ins")
    options = parser.parse_args()
    try:
        machine.check_machine()
        software.get_all((SLURM,), {FULL_RAY: RAYS[FULL_RAY]})
    except machine.Unavailable as error:
        sys.stderr.write(f"bench-scale: {error}\n")
        return 3
    samples = []
    for way, counts in ((with_slurm, options.slurm), (with_stand_ins, options.stand_ins)):
        runs = [(nodes, 0) for nodes in counts] + [(nodes, min(MISSING, nodes // 2)) for nodes in counts[-1:]]
        for nodes, missing in runs:
            samples.append(way(nodes, missing))
            sys.stderr.write(f"{samples[-1]}\n")
    write(samples, SLURM, ROOT / "docs" / "scale.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
