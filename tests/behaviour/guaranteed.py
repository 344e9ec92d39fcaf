"""What the tests of the guarantees run: the same manifest on every way to run, whole or with one fault."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import ways
from generated import render

from mngen.manifest.placeholders import CLUSTER_NAMES, NODE_NAMES
from mngen.rehearse import launchers, tasks
from mngen.rehearse.cluster import Cluster

SECRET = "hush-hush"
TOKEN = "0123456789abcdef" * 2
GREETING = 'it\'s $HOME, `x` and "y"\n on two lines'
ARGUMENTS = ("a b", "$(touch pwned)", "", "*", "é\n", "--x=1e-6")
DRIVER = ["sh", "-c", 'exec sim-driver "$(ulimit -n)" "$(stat -c %a "${RAY_TMPDIR}")" "$@"', "sh"]
FACTS = (*NODE_NAMES, *CLUSTER_NAMES, "services.side.port")
BOOT = ("skypilot", "dstack", "manual")
"""Ways without a batch shell; a token for Ray comes from the secrets."""


def tell(text: str) -> str:
    """A text of the manifest that prints every placeholder of a node, in a line of its own."""
    return f"echo '{text}:' " + " ".join(f"'<'${{{{ {name} }}}}'>'" for name in FACTS)


def target(way: str, sim: Cluster) -> dict[str, Any]:
    """The fields of a target that asks for a GPU model where it must."""
    fields = ways.target(way, sim)
    return {**fields, "resources": {"gpu_type": "h100"}} if way in ("skypilot", "dstack") else fields


@dataclass(frozen=True)
class Whole:
    """What a run of two nodes with two GPUs each, on IPv6 alone, left."""

    way: str
    status: int
    log: str
    files: dict[str, str]
    records: dict[str, list[dict[str, Any]]]
    processes: list[dict[str, Any]]
    containers: list[dict[str, Any]]
    left: list[list[str]]
    """Names in each node's /tmp."""

    def starts(self) -> list[dict[str, Any]]:
        """The ``ray start`` calls, the head's first."""
        calls = [call for call in self.records["ray"] if call["argv"][0] == "start"]
        return sorted(calls, key=lambda call: "--head" not in call["argv"])

    def driver(self) -> dict[str, Any]:
        """The one start of the driver."""
        (call,) = self.records["driver"]
        return call

    def option(self, call: dict[str, Any], name: str) -> str:
        """The value of `--name=value`, given once."""
        (value,) = [word.partition("=")[2] for word in call["argv"] if word.startswith(f"--{name}=")]
        return str(value)


@functools.cache
def whole(way: str) -> Whole:
    """Run it once in this process; the driver joins Ray and ends with status 7."""
    sim = ways.cluster(way, net="ipv6", gpus=2, faults={"*": {"driver": {"exit": 7, "connect": True}}})
    try:
        fields: dict[str, Any] = {
            "secrets": {"WANDB_API_KEY": {}, **({"RAY_AUTH_TOKEN": {}} if way in BOOT else {})},
            "env": {"GREETING": GREETING, "FACTS": " ".join(f"<${{{{ {name} }}}}>" for name in NODE_NAMES)},
            "ulimits": {"nofile": 512},
            "services": {"side": {"command": ["sim-service"], "port": "auto"}},
            "preflight": tell("preflight"),
            "prepare": [{"run": tell("prepare"), "when": "before-ray", "on": "every-node"}],
            "cleanup": tell("cleanup"),
            "resources": {"gpus": 2, "cpus": 4, "shm": "16M"},
            "ray": {"version": "2.52.1"},
            "driver": {"command": DRIVER, "args": list(ARGUMENTS)},
            "targets": {"job": target(way, sim)},
        }
        folder = render(sim, fields)
        env = {"WANDB_API_KEY": SECRET, **({"RAY_AUTH_TOKEN": TOKEN} if way in BOOT else {})}
        status, log = ways.run(way, sim, folder, env=env)
        sim.wait_for(lambda: not sim.processes() and not sim.containers(), 15)
        kinds = ("ray", "driver", "srun", "container", "sbatch", "ray_node")
        return Whole(
            way=way,
            status=status,
            log=log,
            files={path.name: path.read_text() for path in folder.iterdir()},
            records={kind: sim.records(kind) for kind in kinds},
            processes=sim.processes(),
            containers=sim.containers(),
            left=[sorted(path.name for path in sim.left(name)) for name in sim.names],
        )
    finally:
        sim.close()


def faulty(way: str, sim: Cluster, *, env: dict[str, str] | None = None, **fields: Any) -> tuple[list[int], str]:
    """Run a manifest where something goes wrong: the status of the job, or of each node, and all that was said."""
    folder = render(sim, {"targets": {"job": target(way, sim)}, **fields})
    if way not in BOOT:
        status, log = ways.run(way, sim, folder, env=env)
        return [status], log
    if way == "skypilot":
        results = tasks.skypilot(sim, folder, env=env, timeout=40)
    elif way == "dstack":
        results = tasks.dstack(sim, folder, env=env, timeout=40)
    else:
        address = launchers.addresses(sim)[0]
        scripts = [["bash", str(folder / "head.sh")]]
        scripts += [["bash", str(folder / "worker.sh"), address, str(rank)] for rank in range(1, len(sim.names))]
        results = sim.run_nodes(scripts, [env or {}] * len(scripts), timeout=40)
    return [one.status for one in results], "".join(one.stdout + one.stderr for one in results)
