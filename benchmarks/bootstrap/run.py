"""Measure from the start of a job to the start of its driver, with real Slurm and Ray; `make bench-bootstrap`.

Ways to start a cluster are run in turn on the same nodes, which are namespaces of this machine (`tests/real`).
"""

import argparse
import json
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

# tests/real is on the path.
import machine
import software
from cells import FULL_RAY, RAYS
from jobs import Job, submit
from lab import Lab
from lab_files import HOME, LAB, Shape
from page import write
from proc_stat import started
from sites import example

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
STORE = 80 << 20  # bytes; what Ray asks for by itself does not fit a machine that is several nodes
PATHS = {"generated": "minimal/slurm", "generated, apptainer": "verl-gsm8k-slurm/sif"}
LINE = re.compile(r"^bootstrap (\{.*\})$", re.MULTILINE)
SLURM = "22.05"


@dataclass(frozen=True, slots=True)
class Sample:
    """One run.

    Attributes:
        way: How the cluster was started.
        nodes: Of how many nodes.
        driver: Seconds from the batch shell's start to the driver's.
        ray: Seconds from the batch shell's start to that of `ray start` on the head.
        found: How many nodes the driver saw.
        held: Seconds from the driver's end to the job's.
    """

    way: str
    nodes: int
    driver: float
    ray: float
    found: int
    held: float


def start(lab: Lab, way: str, nodes: int) -> Job:
    """Submit one job."""
    if way in PATHS:
        words = (
            f'driver.command=["python3","{LAB}/bench/driver.py"]',
            f"env.BENCH_NODES={nodes}",
            f"ray.object_store={STORE >> 20}M",
            "resources.gpus=8",
            "driver.args=[]",
        )
        lab.run("rm", "-rf", f"{HOME}/alice/work")
        return submit(lab, example(PATHS[way], FULL_RAY, *words, nodes=nodes))
    given = f"ALL,BENCH_NODES={nodes},HERE={LAB}/bench,RAY={LAB}/ray/ray-{FULL_RAY},STORE={STORE}"
    options = [f"--nodes={nodes}", "--gpus-per-node=8", "--output=bench-%j.out", f"--export={given}"]
    argv = ["sbatch", "--parsable", *options, f"{LAB}/bench/jobs/{way}.sbatch"]
    number = lab.run(*argv, user="alice", cwd=f"{HOME}/alice", env=["RAY_USAGE_STATS_ENABLED=0"]).stdout.strip()
    return Job(lab, number, f"{HOME}/alice", "alice")


def batch_shell(job: Job) -> float:
    """When the batch shell of a job that still runs was started, in seconds after the machine."""
    lines = job.lab.run("cat", *(f"/proc/{pid}/stat" for pid in job.pids("node1", "slurm_script")), node="node1").stdout
    return min(started(line) for line in lines.splitlines())


def measure(way: str, nodes: int) -> Sample:
    """Run one job on a cluster of its own."""
    lab = Lab(Shape(nodes=nodes, slurm=SLURM))
    try:
        lab.start()
        lab.give(HERE, f"{LAB}/bench", "alice")
        lab.folders("alice", "/path/to/verl", "/path/to/gsm8k", f"{HOME}/alice/.cache/huggingface")
        job = start(lab, way, nodes)
        job.wait_for_log("bootstrap {")
        line = json.loads(LINE.findall(job.log())[-1])
        begin = line["begin"] or batch_shell(job)
        outcome = job.wait() if way == "symmetric" else None
        held = outcome.seconds if outcome else 0.0
        return Sample(way, nodes, line["driver"] - begin, line["ray"] - begin, line["nodes"], held)
    finally:
        lab.close()


def main() -> int:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--nodes", type=int, nargs="*", default=[2, 4, 8])
    options = parser.parse_args()
    try:
        machine.check_machine()
        software.get_all((SLURM,), {FULL_RAY: RAYS[FULL_RAY]})
    except machine.Unavailable as error:
        sys.stderr.write(f"bench-bootstrap: {error}\n")
        return 3
    samples = []
    for nodes in options.nodes:
        for _ in range(options.rounds):
            for way in ("floor", *PATHS, "symmetric", "serial"):
                sample = measure(way, nodes)
                samples.append(sample)
                sys.stderr.write(f"{sample}\n")
    middle = {
        (way, nodes): tuple(
            statistics.median(getattr(each, name) for each in samples if (each.way, each.nodes) == (way, nodes))
            for name in ("driver", "ray", "found")
        )
        for way, nodes in {(each.way, each.nodes): None for each in samples}
    }
    write(middle, options.rounds, f"Slurm {SLURM}, Ray {FULL_RAY.partition('-')[0]}", ROOT / "docs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
