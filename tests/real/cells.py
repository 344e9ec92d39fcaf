"""The cells of the matrix: what runs on which Slurm and network, with how many nodes and which Ray."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from jobs import Example
from lab_files import SUITES, Shape
from sites import SITES, example

NEW_RAY = "2.60.0"
OLD_RAY = "2.49.2"  # from before token authentication
FULL_RAY = f"{NEW_RAY}-default"
# Names of environments. `ray[default]` brings the dashboard with ten processes more, which sending a job needs.
RAYS = {NEW_RAY: "ray", OLD_RAY: "ray", FULL_RAY: "ray[default]"}
# Each way into an image with each network, number of nodes, generation of Slurm and Ray.
FACTORS = {
    "runtime": ("none", "apptainer", "docker", "podman", "prefix"),
    "net": ("ipv4", "ipv6", "dual"),
    "nodes": (1, 2, 4, 8),
    "slurm": tuple(SUITES),
    "ray": (NEW_RAY, OLD_RAY),
}
ENGINES = {"docker", "podman"}  # daemons or stores, which a node has only where they are used


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of one example.

    Attributes:
        path: Folder below golden/, and target.
        runtime: How it gets into an image.
        nodes: How many nodes.
        net: `ipv4`, `ipv6` or `dual`.
        slurm: Generation of Slurm.
        ray: The version of Ray on them.
        full: Whether it is `ray[default]`.
    """

    path: str
    runtime: str
    nodes: int
    net: str
    slurm: str
    ray: str
    full: bool = False

    @property
    def name(self) -> str:
        """A name for reports."""
        return f"{self.path.replace('/', '-')}-{self.runtime}-{self.nodes}-{self.net}-slurm{self.slurm}-ray{self.ray}"

    def shape(self) -> Shape:
        """The lab that it needs."""
        site = SITES[self.path]
        engine = self.runtime if self.runtime in ENGINES else ""
        return Shape(self.nodes, self.net, site.gpus, site.gpu_type, self.slurm, engine)

    def example(self) -> Example:
        """What it runs."""
        return example(self.path, FULL_RAY if self.full else self.ray, nodes=self.nodes)


# What runs on each change: every way into an image, every network, Slurm and Ray at least once.
ON_CHANGE = (
    Cell("minimal/slurm", "none", 1, "dual", "24.11", OLD_RAY),
    Cell("search-r1/slurm", "none", 2, "ipv4", "22.05", NEW_RAY, full=True),
    Cell("sglang-2x8/slurm", "none", 4, "dual", "20.11", OLD_RAY),
    Cell("verl-gsm8k-slurm/sif", "apptainer", 2, "dual", "20.11", OLD_RAY),
    Cell("design/amd", "apptainer", 4, "ipv4", "26.05", NEW_RAY),
    Cell("verl-amd-slurm/docker", "docker", 2, "dual", "22.05", OLD_RAY),
    Cell("verl-amd-slurm/podman", "podman", 2, "dual", "26.05", OLD_RAY),
    Cell("verl-gsm8k-slurm/shifter", "prefix", 2, "ipv6", "24.11", NEW_RAY),
)
# With these a pairwise cover of the factors: whatever two of them have in common occurs in one of these at least.
COVER = (
    *ON_CHANGE,
    Cell("design/pod", "docker", 1, "ipv4", "26.05", OLD_RAY),
    Cell("verl-amd-slurm/podman", "podman", 1, "ipv6", "20.11", NEW_RAY),
    Cell("verl-gsm8k-slurm/venv", "none", 8, "ipv6", "26.05", OLD_RAY),
    Cell("verl-amd-slurm/apptainer", "apptainer", 1, "dual", "24.11", NEW_RAY),
    Cell("verl-gsm8k-slurm/sif-ib", "apptainer", 8, "ipv6", "22.05", OLD_RAY),
    Cell("verl-amd-slurm/docker", "docker", 4, "ipv6", "24.11", OLD_RAY),
    Cell("design/pod", "docker", 8, "dual", "20.11", NEW_RAY),
    Cell("verl-amd-slurm/podman", "podman", 4, "ipv6", "22.05", OLD_RAY),
    Cell("verl-amd-slurm/podman", "podman", 8, "ipv4", "24.11", OLD_RAY),
    Cell("verl-gsm8k-slurm/shifter", "prefix", 1, "dual", "22.05", OLD_RAY),
    Cell("verl-gsm8k-slurm/shifter", "prefix", 4, "ipv4", "20.11", OLD_RAY),
    Cell("verl-gsm8k-slurm/shifter", "prefix", 8, "ipv6", "26.05", OLD_RAY),
)
# Examples that the cover has no place for.
MORE = (Cell("ray-manual/slurm", "none", 2, "ipv6", "24.11", NEW_RAY, full=True),)
# Other targets of the examples, with a Slurm.
GOLDENS = (
    Cell("locked/docker", "docker", 2, "ipv4", "24.11", NEW_RAY),
    Cell("locked/apptainer", "apptainer", 2, "dual", "22.05", NEW_RAY),
    Cell("locked/ready", "docker", 2, "dual", "20.11", OLD_RAY),
    Cell("offline/docker", "docker", 2, "ipv6", "26.05", NEW_RAY),
    Cell("offline/apptainer", "apptainer", 2, "ipv4", "20.11", OLD_RAY),
    Cell("offline/venv", "none", 2, "dual", "24.11", NEW_RAY),
    Cell("everything/plain", "none", 2, "ipv4", "22.05", NEW_RAY),
    Cell("everything/sif", "apptainer", 4, "dual", "24.11", NEW_RAY),
    Cell("everything/dock", "docker", 2, "dual", "22.05", NEW_RAY),
    Cell("everything/pod", "podman", 2, "ipv6", "20.11", NEW_RAY),
    Cell("everything/shift", "prefix", 2, "dual", "22.05", OLD_RAY),
)
# pyxis is no package of Debian's: a stand-in takes its options (stub/pyxis).
PYXIS = (
    Cell("verl-gsm8k-slurm/pyxis", "pyxis", 2, "ipv4", "22.05", OLD_RAY),
    Cell("verl-dstack/pyxis", "pyxis", 2, "dual", "20.11", OLD_RAY),
    Cell("locked/pyxis", "pyxis", 2, "ipv6", "24.11", NEW_RAY),
    Cell("offline/ready", "pyxis", 2, "dual", "26.05", NEW_RAY),
    Cell("everything/squash", "pyxis", 2, "dual", "22.05", NEW_RAY),
)
# Targets of the examples that have a Slurm and are in no cell, each with why it cannot run here.
NOT_RUN: dict[str, str] = {}
# What stands for a runtime in the whole matrix.
USUAL = {
    "none": "minimal/slurm",
    "apptainer": "verl-gsm8k-slurm/sif",
    "docker": "verl-amd-slurm/docker",
    "podman": "verl-amd-slurm/podman",
    "prefix": "verl-gsm8k-slurm/shifter",
}


def whole() -> Iterable[Cell]:
    """Every combination that the cover leaves out."""
    done = {(cell.runtime, cell.net, cell.nodes, cell.slurm, cell.ray) for cell in (*COVER, *MORE)}
    for runtime, net, nodes, slurm, ray in itertools.product(*FACTORS.values()):
        if (runtime, net, nodes, slurm, ray) not in done:
            yield Cell(USUAL[str(runtime)], str(runtime), int(nodes), str(net), str(slurm), str(ray))


def uncovered(cells: Iterable[Cell]) -> set[tuple[object, ...]]:
    """Pairs of values that occur in none of these cells."""
    todo = {
        (one, first, two, second)
        for one, two in itertools.combinations(FACTORS, 2)
        for first, second in itertools.product(FACTORS[one], FACTORS[two])
    }
    for cell in cells:
        for one, two in itertools.combinations(FACTORS, 2):
            todo.discard((one, getattr(cell, one), two, getattr(cell, two)))
    return todo


assert not uncovered(COVER)
