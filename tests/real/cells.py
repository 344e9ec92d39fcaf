"""The cells of the matrix: what runs on which network, with how many nodes and which Ray."""

from dataclasses import dataclass

from jobs import Example
from lab_files import HOME, LAB, Shape

NEW_RAY = "2.60.0"
OLD_RAY = "2.49.2"  # before 2.52 Ray has no token authentication
RAYS = (NEW_RAY, OLD_RAY)
# Text that a shell, YAML or Slurm would change if anything between `submit.sh` and the driver were careless.
AWKWARD = ("it's $HOME", "new\nline", "*", "", 'a="b c" \\ `d`', "--flag={x: [1, 2]}", "é")


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of one example.

    Attributes:
        example: Folder below golden/.
        target: Its target.
        net: `ipv4`, `ipv6` or `dual`.
        nodes: How many nodes.
        ray: The version of Ray on them.
        only_all: Not part of the set that runs on each change.
    """

    example: str
    target: str
    net: str
    nodes: int
    ray: str
    only_all: bool = False

    @property
    def name(self) -> str:
        """A name for reports."""
        return f"{self.example}-{self.target}-{self.net}-{self.nodes}-ray{self.ray}"

    def shape(self) -> Shape:
        """The lab that it needs."""
        return Shape(nodes=self.nodes, net=self.net)


MATRIX = (
    Cell("minimal", "slurm", "ipv4", 2, NEW_RAY),
    Cell("minimal", "slurm", "ipv4", 2, OLD_RAY),
    Cell("verl-gsm8k-slurm", "venv", "ipv6", 2, NEW_RAY),
    Cell("verl-gsm8k-slurm", "venv", "dual", 2, NEW_RAY),
    Cell("sglang-2x8", "slurm", "dual", 2, OLD_RAY),
    Cell("minimal", "slurm", "ipv6", 1, NEW_RAY),
    Cell("minimal", "slurm", "ipv4", 1, OLD_RAY, only_all=True),
    Cell("sglang-2x8", "slurm", "ipv4", 4, NEW_RAY),
    Cell("minimal", "slurm", "ipv6", 4, NEW_RAY, only_all=True),
)


def example(
    name: str, target: str, ray: str, *sets: str, nodes: int = 2, setup: str = "", overlay: str = ""
) -> Example:
    """An example with the driver of these tests and what belongs to this machine: Ray's folder, its few CPUs."""
    here = (
        f'driver.command=["python3","{LAB}/driver.py"]',
        f"resources.nodes={nodes}",
        "resources.cpus=2",
        "ray.ready_timeout=180",
        # All nodes share one machine, and Ray on each would count what others use against its own workers.
        "env.RAY_memory_monitor_refresh_ms=0",
    )
    # The example names a folder of its own site.
    own = {"verl-gsm8k-slurm": (f"workdir={HOME}/alice/work",)}
    texts = f"setup: |\n  source {LAB}/ray/ray-{ray}/bin/activate\n  {setup}\n{overlay}"
    return Example(name, target, (*here, *own.get(name, ()), *sets), texts)
