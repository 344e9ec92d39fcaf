"""What is done to a cluster in the middle of a round."""

from __future__ import annotations

from typing import Any

from mngen.rehearse.cluster import Cluster
from mngen.rehearse.shape import Shape

CLIENTS = ("srun", "docker", "podman", "apptainer", "singularity")
FOREIGN_TEMP = "/var/tmp/other-ray"


def _job(sim: Cluster) -> str:
    """The number of the only job here; a task of an array has another one than the array."""
    return sim.run(["squeue", "--noheader", "--format=%A"], timeout=60).stdout.split()[0]


def kill_last_ray(sim: Cluster, shape: Shape) -> None:
    """Kill Ray's daemon on the last node."""
    sim.kill_process(shape.names[-1], "raylet")


def kill_head_ray(sim: Cluster, shape: Shape) -> None:
    """Kill Ray's head."""
    sim.kill_process(shape.names[0], "gcs_server")


def lose_head_once(sim: Cluster, shape: Shape) -> None:
    """Kill Ray's head; the driver of the next attempt is short."""
    _drive_shortly(sim)
    kill_head_ray(sim, shape)


def unplug(sim: Cluster, shape: Shape) -> None:
    """Take the last node's cable out."""
    sim.cut(shape.names[-1])


def reach_time_limit(sim: Cluster, _shape: Shape) -> None:
    """Let Slurm send what the job wants before its limit, and some seconds later end it."""
    _drive_shortly(sim)
    sim.run(["scontrol", "sim-time-limit", _job(sim)], timeout=60)


def requeue(sim: Cluster, _shape: Shape) -> None:
    """Put the job back into the queue, as its user or an operator does; the driver of its second attempt is short."""
    _drive_shortly(sim)
    sim.run(["scontrol", "requeue", _job(sim)], timeout=60)


def kill_batch(sim: Cluster, _shape: Shape) -> None:
    """Kill the batch shell, every `srun` and every container client at once, so that none can clean up."""
    sim.kill([row["pid"] for row in sim.processes() if _is_batch(row)])


def _is_batch(row: dict[str, Any]) -> bool:
    names = [word.rpartition("/")[2] for word in row["argv"][:4]]
    return "slurm_script" in names or any(name in CLIENTS for name in names)


def _drive_shortly(sim: Cluster) -> None:
    faults = dict(sim.options.faults)
    faults["*"] = {**faults.get("*", {}), "driver": {"connect": True}}
    sim.set_faults(faults)


def start_foreign_ray(sim: Cluster, *, usual_ports: bool) -> set[int]:
    """Start somebody else's Ray on every node, and return its processes.

    It has Ray's usual ports, or those that SkyPilot gives to its own.
    """
    ports = ["--port=6379"] if usual_ports else ["--port=6380", "--dashboard-port=8266"]
    ports += [] if usual_ports else ["--ray-client-server-port=9101", "--dashboard-agent-listen-port=52366"]
    for name in sim.names:
        temp = sim.moved(f"--temp-dir={FOREIGN_TEMP}-{name}")
        argv = ["ray", "start", "--head", "--block", "--num-gpus=0", temp, *ports]
        sim.spawn(argv, node=name, env=sim.environment(ray=True))
    sim.wait_record("ray_worker", len(sim.names), 60)
    for path in (sim.root / "records").glob("ray*.jsonl"):
        path.unlink()
    return {row["pid"] for row in sim.processes()}
