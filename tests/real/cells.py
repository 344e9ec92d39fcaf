"""The cells of the matrix: what runs on which network, with how many nodes and which Ray."""

from dataclasses import dataclass

from jobs import Example
from lab_files import HOME, LAB, Shape

NEW_RAY = "2.60.0"
OLD_RAY = "2.49.2"  # before 2.52 Ray has no token authentication
RAYS = (NEW_RAY, OLD_RAY)
# Text that a shell, YAML or Slurm would change if anything between `submit.sh` and the driver were careless.
AWKWARD = ("it's $HOME", "new\nline", "*", "", 'a="b c" \\ `d`', "--flag={x: [1, 2]}", "é")
IMAGE = f"{LAB}/image.sif"
BIND = f'container.options=["--bind","{LAB}"]'


@dataclass(frozen=True, slots=True)
class Site:
    """What the place that an example was written for has, and these nodes have not.

    Attributes:
        folders: Folders to make.
        sets: Changes to the manifest.
        gpu_type: The GPUs that it asks for.
    """

    folders: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    gpu_type: str = "h100"


VERL = ("/path/to/verl", "/path/to/gsm8k", f"{HOME}/alice/.cache/huggingface")
CLIENT = f"{HOME}/alice/.apptainer"  # Apptainer makes that for each user
MODULES = "host_setup=:"  # no module system here
SITES = {
    "minimal/slurm": Site(),
    "sglang-2x8/slurm": Site((f"{HOME}/alice/verl-sglang",)),
    "verl-gsm8k-slurm/venv": Site(VERL),
    "verl-gsm8k-slurm/sif": Site((*VERL, CLIENT), (MODULES, f"image.sif={IMAGE}", BIND)),
    "verl-gsm8k-slurm/sif-ib": Site((*VERL, CLIENT), (MODULES, f"image.sif={IMAGE}", BIND, "network.interface=eth0")),
    # Apptainer as a command before the command, which is all that mngen knows of a prefix.
    "verl-gsm8k-slurm/shifter": Site(
        (*VERL, CLIENT), (f'container.prefix=["apptainer","exec","--bind","{LAB},/path","{IMAGE}"]',)
    ),
    "verl-amd-slurm/apptainer": Site(
        (f"{HOME}/alice/projects/verl_upstream", f"{HOME}/alice/verl_log", CLIENT),
        (MODULES, f"image.sif={IMAGE}", BIND, "prepare=[]", "resources.shm=1G", "slurm.nodelist=node[1-2]"),
        "mi300x",
    ),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of one example.

    Attributes:
        path: Folder below golden/, and target.
        runtime: How it gets into an image, for the table.
        net: `ipv4`, `ipv6` or `dual`.
        nodes: How many nodes.
        ray: The version of Ray on them.
        only_all: Not part of the set that runs on each change.
    """

    path: str
    runtime: str
    net: str
    nodes: int
    ray: str
    only_all: bool = False

    @property
    def name(self) -> str:
        """A name for reports."""
        return f"{self.path.replace('/', '-')}-{self.net}-{self.nodes}-ray{self.ray}"

    def shape(self) -> Shape:
        """The lab that it needs."""
        return Shape(nodes=self.nodes, net=self.net, gpu_type=SITES[self.path].gpu_type)

    def example(self) -> Example:
        """What it runs."""
        return example(self.path, self.ray, nodes=self.nodes)


MATRIX = (
    Cell("minimal/slurm", "none", "ipv4", 2, NEW_RAY),
    Cell("minimal/slurm", "none", "ipv4", 2, OLD_RAY),
    Cell("verl-gsm8k-slurm/venv", "none", "ipv6", 2, NEW_RAY),
    Cell("verl-gsm8k-slurm/venv", "none", "dual", 2, NEW_RAY),
    Cell("sglang-2x8/slurm", "none", "dual", 2, OLD_RAY),
    Cell("minimal/slurm", "none", "ipv6", 1, NEW_RAY),
    Cell("minimal/slurm", "none", "ipv4", 1, OLD_RAY, only_all=True),
    Cell("sglang-2x8/slurm", "none", "ipv4", 4, NEW_RAY),
    Cell("minimal/slurm", "none", "ipv6", 4, NEW_RAY, only_all=True),
    Cell("verl-gsm8k-slurm/sif", "apptainer", "ipv4", 2, OLD_RAY),
    Cell("verl-gsm8k-slurm/sif", "apptainer", "ipv6", 2, NEW_RAY),
    Cell("verl-gsm8k-slurm/sif-ib", "apptainer", "dual", 2, NEW_RAY, only_all=True),
    Cell("verl-amd-slurm/apptainer", "apptainer", "dual", 2, NEW_RAY),
    Cell("verl-gsm8k-slurm/shifter", "prefix", "ipv4", 2, NEW_RAY),
    Cell("verl-gsm8k-slurm/shifter", "prefix", "dual", 1, OLD_RAY, only_all=True),
)


def example(path: str, ray: str, *sets: str, nodes: int = 2, setup: str = "", overlay: str = "") -> Example:
    """An example with the driver of these tests and what belongs to this machine: Ray's folder, its few CPUs."""
    name, target = path.split("/")
    here = (
        f'driver.command=["python3","{LAB}/driver.py"]',
        f"resources.nodes={nodes}",
        "resources.cpus=2",
        "ray.ready_timeout=180",
        # All nodes share one machine, and Ray on each would count what others use against its own workers.
        "env.RAY_memory_monitor_refresh_ms=0",
    )
    texts = f"setup: |\n  source {LAB}/ray/ray-{ray}/bin/activate\n  {setup}\n{overlay}"
    return Example(name, target, (*here, *SITES[path].sets, *sets), texts)
