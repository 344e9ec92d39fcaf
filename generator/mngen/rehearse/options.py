"""What can be chosen about a simulated cluster."""

from typing import Any

from msgspec import Struct, field

from mngen.rehearse.nets import Net


class Options(Struct, frozen=True):
    """What can be chosen; the defaults are a plain two-node cluster."""

    nodes: int = 2
    net: str | Net = "ipv4"
    names: tuple[str, ...] = ()
    slurm: str = "22.05"
    ray: str = "2.52.1"
    ray_client: bool = True
    ray_real: dict[str, Any] | None = None
    """The installed Ray in the stand-in's place: its `python`, and the `folders` that it needs."""
    gpus: int = 0
    vendor: str = "cuda"
    cpus: int = 8
    shm: str = "64m"
    kill_wait: float = 2.0
    proctrack: str = "cgroup"
    pyxis: bool = False
    ray_on_host: bool = True
    gpu_tools: tuple[str, ...] | None = None
    gpu_env: tuple[str, ...] = ()
    first_gpu: int = 0
    constrain_gpus: bool = True
    missing: tuple[str, ...] = ()
    health_s: float = 1.5
    join_s: float = 60.0
    reconnect_s: float = 60.0
    busy_wait: float = 1.0
    requeue_delay: float = 0.1
    first_job: int = 1
    faults: dict[str, dict[str, Any]] = field(default_factory=dict)
    node: dict[str, dict[str, Any]] = field(default_factory=dict)
    image: dict[str, Any] = field(default_factory=dict)
    fresh: dict[str, str | None] = field(default_factory=dict)
    """Paths that every node has though this machine may not: a file's text, or None for an empty folder."""
    writable: tuple[str, ...] = ()
    """Folders in which nodes can write beside what this machine has there, of which nothing changes."""
    absent: tuple[str, ...] = ()
    """Files and folders that no node has, though this machine may."""
