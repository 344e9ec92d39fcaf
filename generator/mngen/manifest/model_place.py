"""The parts of a target that say where it runs: machines, files, containers, network, Slurm."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from mngen.diagnostics import Span
from mngen.manifest.text import Text, spelled


class Memory(Struct, frozen=True, kw_only=True):
    """Memory asked for: exactly one of the three; ``0`` means all of the node. It is never less than asked."""

    per_node: str | None = None
    per_cpu: str | None = None
    per_gpu: str | None = None


class Resources(Struct, frozen=True, kw_only=True):
    """What each node must have; every number but ``nodes`` is per node."""

    nodes: int = 1
    gpus: int = 0
    gpu_type: str | None = None
    gpu_memory: str | None = None
    cpus: int | None = None
    memory: Memory | None = None
    shm: str | None = None
    disk: str | None = None

    @property
    def total_gpus(self) -> int:
        """GPUs of the whole cluster."""
        return self.nodes * self.gpus


class Code(Struct, frozen=True, kw_only=True):
    """The user's code: a folder beside the manifest (``path``) or a pinned git source, at ``to`` in the runtime."""

    path: str | None = None
    git: str | None = None
    ref: str | None = None
    to: str | None = None


class Mount(Struct, frozen=True, kw_only=True):
    """A folder of the node (or a bucket URI, a named volume) seen at ``target`` in the runtime."""

    source: Text
    target: Text
    """The same as ``source`` where the manifest names none; empty where that is no path."""
    mode: str = "rw"
    shared: bool = False
    span: Span | None = None

    @property
    def place(self) -> str:
        """The target as the manifest writes it."""
        return spelled(self.target)


class Container(Struct, frozen=True, kw_only=True):
    """How the runtime is called, beyond what other fields say."""

    command: tuple[str, ...] = ()
    """The client's own words when it is not the runtime's name: ``[singularity]``, ``[podman-hpc]``."""
    prefix: tuple[Text, ...] = ()
    """For runtime ``prefix``: all that stands before the command; it may hold node-phase placeholders."""
    options: tuple[Text, ...] = ()
    gpu: str = "auto"
    """``auto``, ``nv``, ``rocm``, ``devices``, ``cdi`` or ``none``."""
    user: str = "image"
    """docker and podman: ``image`` (the image's user, root or one's own) or ``host`` (the submitting user's ids)."""
    host_ids: bool = False
    """Hand the submitting user's ids over as ``HOST_UID`` and ``HOST_GID``."""
    clean_env: bool = False
    writable: bool = False
    mount_home: bool = False
    pull: str = "missing"


class Network(Struct, frozen=True, kw_only=True):
    """How addresses are chosen, and what the fabric needs."""

    family: str = "auto"
    interface: str | None = None
    cidr: str | None = None
    host_suffix: str | None = None
    fabric: str | None = None
    """``ib``, ``roce``, ``efa``, ``slingshot`` or ``none``."""
    proxy: bool = False
    """True when the nodes use an HTTP proxy: cluster addresses are added to ``no_proxy``.

    A proxy in ``env`` says it too; calls to a service with a port go past a proxy in any case."""


class GpuRequest(Struct, frozen=True, kw_only=True):
    """How the site spells a GPU request: ``form`` gpus-per-node, gres or none; ``type`` is the GRES type."""

    form: str = "gpus-per-node"
    type: str | None = None


class Slurm(Struct, frozen=True, kw_only=True):
    """Directives.

    ``fields`` holds the typed ones by manifest name, values as written or bool; the table in
    ``mngen.targets.slurm_options`` gives each its sbatch spelling.
    """

    fields: Mapping[str, str | bool] = field(default_factory=dict)
    gpu_request: GpuRequest = field(default_factory=GpuRequest)
    extra: tuple[str, ...] = ()
    srun_args: tuple[str, ...] = ()
    version: str | None = None
    output: str | None = None
    error: str | None = None


class ReadyImage(Struct, frozen=True, kw_only=True):
    """An image that exists already: exactly one of a registry reference, a SIF path, a squashfs path."""

    ref: str | None = None
    sif: Text | None = None
    sqsh: Text | None = None
