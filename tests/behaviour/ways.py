"""Every way to run a manifest on a simulated cluster: the runtimes of a Slurm job, and the other kinds of target."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mngen.rehearse import tasks
from mngen.rehearse.cluster import Cluster, Options

SLURM = ("none", "apptainer", "docker", "podman", "pyxis", "prefix")
WAYS = (*SLURM, "skypilot", "dstack", "manual")
CONTAINED = ("apptainer", "docker", "podman", "pyxis")
"""Runtimes that show only what the manifest mounts."""

_ON_HOST = ("none", "manual", "skypilot")
"""Ways whose nodes have Ray themselves; SkyPilot's are the image."""


def cluster(way: str, **options: Any) -> Cluster:
    """A simulated cluster that fits."""
    return Cluster(Options(ray_on_host=way in _ON_HOST, pyxis=way == "pyxis", **options))


def target(way: str, sim: Cluster | None = None) -> dict[str, Any]:
    """The target's fields; a container sees the work folder of a cluster that is given."""
    fields: dict[str, Any] = {"kind": "slurm", "runtime": way} if way in SLURM else {"kind": way}
    if way == "prefix":
        fields["container"] = {"prefix": ["enter-image", "--image=example/image:1"]}
    if way not in ("none", "manual"):
        fields["image"] = {"ref": "example/image:1"}
    if way in CONTAINED and sim is not None:
        fields["mounts"] = [{"source": str(sim.work), "target": str(sim.work)}]
    return fields


def run(
    way: str, sim: Cluster, folder: Path, *, args: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Run rendered files to their end; the head's status and output. SkyPilot takes no arguments."""
    env = dict(env or {})
    if way in SLURM:
        job = sim.sbatch(folder / "job.sbatch", *args, env=env, timeout=40)
        return job.status, job.log
    if way == "skypilot":
        results = tasks.skypilot(sim, folder, env=env)
    elif way == "dstack":
        results = tasks.dstack(sim, folder, args=args, env=env)
    else:
        scripts = [["bash", str(folder / "head.sh"), *args]]
        address = sim.net.addresses(1)[0]
        scripts += [["bash", str(folder / "worker.sh"), address, str(rank)] for rank in range(1, len(sim.names))]
        results = sim.run_nodes(scripts, [env] * len(scripts))
    return results[0].status, results[0].stdout + results[0].stderr


def clutter(sim: Cluster, name: str = "pwned") -> list[str]:
    """Files of a name that no test makes: what a value makes when something takes it for a command."""
    folders = [sim.work, sim.home, *(sim.tmp(node) for node in sim.names)]
    return [str(path) for folder in folders for path in folder.rglob(f"{name}*")]
