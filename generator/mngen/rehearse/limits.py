"""What a rehearsal cannot show, in words for its user."""

from __future__ import annotations

from mngen.rehearse.edits import WAIT_S
from mngen.rehearse.modules import calls_module
from mngen.rehearse.plain import NO_NETWORK
from mngen.rehearse.planning import Plan
from mngen.rehearse.rehearsal import REAL_READY_S, SLURM
from mngen.rehearse.subject import Kind

_SYSTEMS = {
    Kind.SLURM: f"Slurm itself: stand-ins for sbatch, srun, scontrol and scancel do as {SLURM} does",
    Kind.SKYPILOT: "SkyPilot itself: its text around the task is written anew, no machine is rented",
    Kind.DSTACK: "dstack itself: its text around the task is written anew, no instance is started",
    Kind.MANUAL: "starting by hand: the workers are started as soon as the head says how",
}


def not_exercised(made: Plan) -> tuple[str, ...]:
    """Return one line for each thing that was replaced or left out."""
    scripts = [script for name, script in made.scripts.items() if name != "submit.sh"]
    texts = tuple(dict.fromkeys(name for script in scripts for name in script.texts))
    services = tuple(dict.fromkeys(name for script in scripts for name in script.services))
    prefix = next((script.prefix for script in scripts if script.prefix), "")
    lines = [_SYSTEMS[made.subject.kind]]
    if made.ray is None:
        lines.append("Ray itself: a stand-in forms the cluster, checks options and ports")
    calls = tuple(dict.fromkeys(words for script in scripts for words in script.ray))
    if calls:
        lines.append(f"what brings Ray: `ray` and `python3` of the nodes stand for {', '.join(calls)}")
    if any(script.path for script in scripts):
        lines.append("PATH: the nodes' own folders stand before those of the manifest")
    temp = next((script.temp for script in scripts if script.temp), "")
    if temp:
        lines.append(f"ray.temp_dir: each node's /tmp stands for {temp}")
    if made.driver:
        lines.append(f"the driver: a stand-in takes its words{'' if made.plain else ' (--run-driver runs it)'}")
    elif not made.drives:
        lines.append("jobs from outside: the cluster waits for them, then it is stopped")
    if any(script.retries for script in scripts):
        lines.append("retries: a failure is the end (RETRY_MAX=0) in every round but `retry`")
    if texts:
        lines.append(f"the manifest's own text: {', '.join(texts)}{'' if made.plain else ' (--run-setup runs it)'}")
    if services:
        lines.append(f"services: a stand-in plays {', '.join(services)}")
    return (*lines, *_surroundings(made, prefix), *(_plain(made) if made.plain else ()))


def _plain(made: Plan) -> list[str]:
    """Say what only namespaces show."""
    lines = [
        "the network: stand-ins for getent, ip and ss tell of it; sockets are IPv4 on loopback, /dev/tcp is a program",
        "nodes apart: plain processes of one machine; absolute paths in the text lead to a folder of the rehearsal",
        "/dev/shm: a stand-in for df tells of it",
    ]
    if made.needs.contained:
        lines.append("containers apart: their commands run on the node itself, mounts are links that can be written")
    if len(made.shape.names) > 1:
        lines.append(f"node-silent: {NO_NETWORK}")
    return lines


def _surroundings(made: Plan, prefix: str) -> list[str]:
    lines = []
    if made.needs.contained:
        client = f" ({prefix})" if prefix else ""
        lines.append(f"the image{client}: this machine's programs stand in it")
    if made.shape.gpus:
        lines.append("GPUs and their driver: device files and tools that count them")
    if made.subject.kind in (Kind.SLURM, Kind.MANUAL) and calls_module(script.text for script in made.scripts.values()):
        lines.append("what modules load: `module` succeeds and changes nothing")
    given = [*made.needs.variables, *made.needs.secrets]
    if given:
        lines.append(f"variables: made-up values for {', '.join(given)}")
    files = made.needs.env_files
    if files:
        lines.append(f"env_files: empty ones stand for {', '.join(files)}")
    paths = [path for path in made.needs.paths if path.startswith(("/", "~")) and path not in files]
    if paths:
        lines.append(f"what the nodes have: made for this are {', '.join(paths)}")
    if made.subject.generated:
        lines.append(
            f"long waits: a cluster or a service is given up after {WAIT_S if made.ray is None else REAL_READY_S} s"
        )
    return lines
