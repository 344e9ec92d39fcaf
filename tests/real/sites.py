"""What the places that the examples were written for have, and the nodes of these tests have not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jobs import Example
from lab_files import HOME, LAB

HERE = Path(__file__).resolve().parent
IMAGE = f"{LAB}/image.sif"
BIND = f'container.options=["--bind","{LAB}"]'
DOCKER = f'container.options=["--cap-add=SYS_PTRACE","--volume","{LAB}:{LAB}"]'
# The image has no driver of NVIDIA's; --gpus would bring its tool in.
DOCKER_CUDA = (
    f'container.options=["--volume","{LAB}:{LAB}","--volume","{LAB}/bin/nvidia-smi:/usr/local/bin/nvidia-smi"]'
)
MODULES = "host_setup=:"  # no module system here
NO_LIST = "slurm.nodelist=node[1-{nodes}]"
RAY_VERSION = "ray.version={ray}"
RAY_PACKAGE = 'image.pip.packages=["ray[default]=={ray}"]'
SHM = "resources.shm=1G"
SCRATCH = f"{HOME}/alice/scratch/hf"
READY = "image.ref=registry.example.org/rl/verl:0.5-rocm6.4"  # a name that docker's store here knows the lab's image by
# No port of InfiniBand is up here, and nothing has to be locked in memory, which a virtual machine may not allow.
NO_FABRIC = "network.fabric=none"
SERVER = 'exec python3 -m http.server "$2"\n'
RUNTIME_ENV = 'env_vars: {TOKENIZERS_PARALLELISM: "false"}\n'
VERL = ("/path/to/verl", "/path/to/gsm8k", f"{HOME}/alice/.cache/huggingface")
AMD = (f"{HOME}/alice/projects/verl_upstream", f"{HOME}/alice/verl_log")
CLIENT = f"{HOME}/alice/.apptainer"  # Apptainer makes that for each user
MEMLOCK = "ulimits.memlock=8192"  # see NO_FABRIC
SIF_DATE = "2026-01-01"
WORKSPACE = f"ln -s {HOME}/alice/work /workspace/project"
RESERVATION = "scontrol create reservation ReservationName=maintenance StartTime=now Duration=1-0 Users=alice Nodes=ALL"


@dataclass(frozen=True, slots=True)
class Site:
    """What is different here for one example.

    Attributes:
        folders: Folders to make.
        sets: Changes to the manifest; `{nodes}` is their number and `{ray}` the version.
        files: Files beside the manifest, by path.
        gpu_type: The GPUs that it asks for.
        gpus: How many it asks for of each node.
        commands: What else makes the place, for a shell of root's on the login node.
    """

    folders: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    gpu_type: str = "h100"
    gpus: int = 8
    commands: tuple[str, ...] = ()


def _everything(
    *sets: str, folders: tuple[str, ...] = (), gpu_type: str = "h100", commands: Sequence[str] = ()
) -> Site:
    """The place of a target of `everything`, with programs for its services and steps."""
    here = ("ray.object_store=1G", SHM, RAY_VERSION, f"endpoint.file={HOME}/alice/work/endpoint.json")
    made = (f"install -o alice /dev/null {HOME}/alice/.config/everything.env", *commands)
    files = {path.name: path.read_text() for path in (HERE / "stub" / "everything").iterdir()}
    return Site(("/data", *folders), (*here, *sets), files, gpu_type, commands=made)


SITES = {
    "minimal/slurm": Site(),
    "ray-manual/slurm": Site(files={"verl/trainer/runtime_env.yaml": RUNTIME_ENV}),
    "search-r1/slurm": Site(
        files={"verl/trainer/runtime_env.yaml": RUNTIME_ENV, "retrieval_launch.sh": SERVER},
    ),
    "sglang-2x8/slurm": Site((f"{HOME}/alice/verl-sglang",)),
    "verl-gsm8k-slurm/venv": Site(VERL, gpus=4),
    "verl-gsm8k-slurm/sif": Site((*VERL, CLIENT), (MODULES, f"image.sif={IMAGE}", BIND), gpus=4),
    "verl-gsm8k-slurm/sif-ib": Site(
        (*VERL, CLIENT), (MODULES, f"image.sif={IMAGE}", BIND, NO_FABRIC, "network.interface=eth0"), gpus=4
    ),
    # Apptainer as a command before the command, which is all that mngen knows of a prefix.
    "verl-gsm8k-slurm/shifter": Site(
        (*VERL, CLIENT), (f'container.prefix=["apptainer","exec","--bind","{LAB},/path","{IMAGE}"]',), gpus=4
    ),
    "verl-amd-slurm/apptainer": Site(
        (*AMD, CLIENT),
        (MODULES, f"image.sif={IMAGE}", BIND, NO_FABRIC, "prepare=[]", SHM, NO_LIST, RAY_PACKAGE),
        gpu_type="mi300x",
    ),
    "verl-amd-slurm/docker": Site(AMD, (DOCKER, NO_FABRIC, "prepare=[]", SHM, NO_LIST, RAY_PACKAGE), gpu_type="mi300x"),
    "verl-amd-slurm/podman": Site(AMD, (DOCKER, NO_FABRIC, "prepare=[]", SHM, NO_LIST, RAY_PACKAGE), gpu_type="mi300x"),
    "verl-gsm8k-slurm/pyxis": Site((*VERL, CLIENT), gpus=4),
    "verl-dstack/pyxis": Site((f"{HOME}/alice/checkpoints", CLIENT), ("prepare=[]", SHM), {"verl/README": ""}),
    "locked/docker": Site((), (DOCKER_CUDA, READY, "workdir=/", SHM, RAY_VERSION)),
    "locked/apptainer": Site((CLIENT,), (f"image.sif={IMAGE}", BIND, "workdir=/", SHM, RAY_VERSION, RAY_PACKAGE)),
    "locked/pyxis": Site((CLIENT,), ("image.ref=ubuntu:24.04", "workdir=/", SHM, RAY_VERSION)),
    "locked/ready": Site((), (DOCKER_CUDA, READY, "workdir=/", SHM, RAY_VERSION)),
    "offline/docker": Site((SCRATCH,), (DOCKER_CUDA, READY, "prepare=[]", SHM, RAY_VERSION)),
    "offline/apptainer": Site(
        (SCRATCH, CLIENT), (f"image.sif={IMAGE}", BIND, "prepare=[]", SHM, RAY_VERSION, RAY_PACKAGE)
    ),
    "offline/ready": Site((SCRATCH, CLIENT), ("prepare=[]", SHM, RAY_VERSION)),
    "offline/venv": Site((SCRATCH,), ("prepare=[]", SHM, RAY_VERSION)),
    "everything/plain": _everything(
        NO_FABRIC,
        RAY_PACKAGE,
        MODULES,
        "slurm.begin=now",
        folders=("/home/user/project", "/workspace"),
        commands=(WORKSPACE, RESERVATION),
    ),
    "everything/sif": _everything(
        NO_FABRIC,
        RAY_PACKAGE,
        f'container.options=["--no-mount","hostfs","--bind","{LAB}","--bind","{LAB}/bin/nvidia-smi:/usr/bin/nvidia-smi"]',
        "network.interface=eth0",
        folders=(CLIENT, SCRATCH),
        gpu_type="h100_sxm",
        commands=(
            "ln -s apptainer /usr/bin/singularity",  # as Apptainer's own packages do
            f"install -o alice -m 600 <(echo a-key) {HOME}/alice/.wandb_key",
            f"mkdir -p /shared/images && ln -s {IMAGE} /shared/images/everything-{SIF_DATE}.sif",
        ),
    ),
    "everything/dock": _everything(
        NO_FABRIC,
        RAY_PACKAGE,
        DOCKER,
        MEMLOCK,
        "container.pull=never",
        "slurm.array=0",
        'slurm.extra=["--gres=gpu:8"]',
        gpu_type="mi300x",
    ),
    "everything/pod": _everything(DOCKER_CUDA, NO_LIST, MEMLOCK, folders=(f"{HOME}/alice/.cache",)),
    "everything/squash": _everything(NO_FABRIC, folders=(CLIENT,)),
    "everything/shift": _everything(
        RAY_PACKAGE,
        f'container.prefix=["apptainer","exec","--bind","{LAB},/workspace,/data","{IMAGE}"]',
        folders=(CLIENT, "/workspace"),
        gpu_type="mi250x",
        commands=(WORKSPACE,),
    ),
    "verl-gsm8k-skypilot/gcp": Site(("/workspace",), gpus=1),
    "verl-dstack/unattended": Site(("/workspace/verl",), ("prepare=[]", SHM)),
    "sglang-2x8/hosts": Site((f"{HOME}/alice/verl-sglang",)),
    "design/amd": Site(
        (f"{HOME}/alice/data", f"{HOME}/alice/scratch/hf", CLIENT),
        (
            MODULES,
            f"image.sif={IMAGE}",
            BIND,
            NO_FABRIC,
            "prepare=[]",
            SHM,
            "slurm.extra=[]",
            RAY_VERSION,
            RAY_PACKAGE,
        ),
        {"retrieval_launch.sh": SERVER},
        "mi300x",
    ),
    "design/pod": Site(
        (f"{HOME}/alice/data", f"{HOME}/alice/scratch/hf"),
        (DOCKER_CUDA, "prepare=[]", NO_LIST, RAY_VERSION),
        {"retrieval_launch.sh": SERVER},
        gpus=4,
    ),
}

ELSEWHERE = {"verl-gsm8k-skypilot/gcp", "verl-dstack/unattended", "sglang-2x8/hosts"}
"""Targets that are not Slurm's."""


def example(path: str, ray: str, *sets: str, nodes: int = 2, setup: str = "", overlay: str = "") -> Example:
    """An example with the driver of these tests and what belongs to this machine: Ray's folder, its few CPUs.

    `ray` names an environment: a version, and where it has more than the package alone, a dash and what.
    """
    name, target = path.split("/")
    version = ray.partition("-")[0]
    cpus = () if path in ELSEWHERE else ("resources.cpus=2",)  # elsewhere a node counts its own
    here = (
        *cpus,
        f'driver.command=["python3","{LAB}/driver.py"]',
        f"resources.nodes={nodes}",
        "ray.ready_timeout=180",
        # All nodes share one machine, and Ray on each would count what others use against its own workers.
        "env.RAY_memory_monitor_refresh_ms=0",
    )
    site = SITES[path]
    texts = f"setup: |\n  source {LAB}/ray/ray-{ray}/bin/activate\n  {setup}\n{overlay}"
    return Example(
        name,
        target,
        (*here, *(each.replace("{nodes}", str(nodes)).replace("{ray}", version) for each in site.sets), *sets),
        texts,
        site.files,
    )
