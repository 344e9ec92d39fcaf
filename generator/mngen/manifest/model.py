"""The manifest as typed values: what ``parse`` builds and every target reads.

One :class:`Target` is the whole effective description of one place to run, after the target's own
fields, its site file, overlays and ``--set`` were merged over the manifest's top level. Field names
are the manifest's own. Sizes keep the user's spelling (``64G``); targets convert them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mngen.diagnostics import Span
from mngen.manifest.image import Image
from mngen.manifest.text import Text


class Variant(Enum):
    """Which software stack an image has; decides the GPU vendor."""

    CUDA = "cuda"
    ROCM = "rocm"


class Kind(Enum):
    """What a target is run by. Third-party kinds are plain text and not listed here."""

    SLURM = "slurm"
    SKYPILOT = "skypilot"
    DSTACK = "dstack"
    MANUAL = "manual"


class Runtime(Enum):
    """How a process gets into the image on a Slurm or hand-started node."""

    NONE = "none"
    APPTAINER = "apptainer"
    DOCKER = "docker"
    PODMAN = "podman"
    PYXIS = "pyxis"
    PREFIX = "prefix"


class Where(Enum):
    """Which nodes something runs on: the head alone, or every node."""

    HEAD = "head"
    EVERY_NODE = "every-node"


@dataclass(frozen=True, slots=True)
class Script:
    """Shell text of the user's (setup, prepare, ...), verbatim but for placeholders."""

    text: Text
    span: Span | None = None
    literal_block: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Memory asked for: exactly one of the three; ``at_least`` is a trailing ``+``; ``0`` means all of the node."""

    per_node: str | None = None
    per_cpu: str | None = None
    per_gpu: str | None = None
    at_least: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """The user's code: a folder beside the manifest (``path``) or a pinned git source, at ``to`` in the runtime."""

    path: str | None = None
    git: str | None = None
    ref: str | None = None
    to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A folder of the node (or a bucket URI, a named volume) seen at ``target`` in the runtime."""

    source: Text
    target: str
    mode: str = "rw"
    shared: bool = False
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A secret by name; its value comes from the submitting shell, or from ``file`` read on the node."""

    name: str
    required: bool = True
    file: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """How the runtime is called, beyond what other fields say."""

    command: tuple[str, ...] = ()
    """The client's own words when it is not the runtime's name: ``[singularity]``, ``[podman-hpc]``;
    for runtime ``prefix`` the whole prefix, which may hold node-phase placeholders."""
    prefix: tuple[Text, ...] = ()
    options: tuple[Text, ...] = ()
    gpu: str = "auto"
    """``auto``, ``nv``, ``rocm``, ``devices``, ``cdi`` or ``none``."""
    user: str = "image"
    """docker and podman: ``image`` (the image's user) or ``host`` (the submitting user's ids)."""
    host_ids: bool = False
    """Hand the submitting user's ids over as ``HOST_UID`` and ``HOST_GID``."""
    clean_env: bool = False
    writable: bool = False
    mount_home: bool = False
    pull: str = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """How addresses are chosen, and what the fabric needs."""

    family: str = "auto"
    interface: str | None = None
    cidr: str | None = None
    host_suffix: str | None = None
    fabric: str | None = None
    """``ib``, ``roce``, ``efa``, ``slingshot`` or ``none``."""
    proxy: bool = False
    """True when the nodes use an HTTP proxy: cluster addresses are added to ``no_proxy``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """Ray's dashboard: ``bind`` is ``loopback`` or ``all`` (which demands token authentication)."""

    enabled: bool = True
    bind: str = "loopback"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ray:
    """How the Ray cluster is brought up."""

    version: str | None = None
    command: tuple[str, ...] = ("ray",)
    ready_timeout: int = 300
    dashboard: Dashboard = field(default_factory=Dashboard)
    ports: Mapping[str, int] = field(default_factory=dict)
    """User-fixed ports: gcs, dashboard, client, agent, agent_grpc, node_manager, object_manager,
    runtime_env_agent, metrics, worker_min, worker_max. What is absent comes from the job's own plan."""
    temp_dir: str = "/tmp"
    """Node-local folder under which the job makes its own short, private folder."""
    object_store: str | None = None
    head_gpus: int | None = None
    auth: str = "auto"
    """``auto`` (token where Ray has it), ``token`` or ``disabled``."""
    start_args: tuple[str, ...] = ()
    head_args: tuple[str, ...] = ()
    worker_args: tuple[str, ...] = ()
    unset_env_prefixes: tuple[str, ...] = ()
    """Prefixes (``SLURM_``, ``PMI``) removed from the environment of Ray's own processes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepare:
    """A step that runs once the runtime is up and before the driver."""

    script: Script
    when: str = "before-driver"
    """``before-ray`` or ``before-driver``."""
    on: Where = Where.HEAD
    creates: Text | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """When a service counts as ready: exactly one of tcp, http, command; ``timeout`` in seconds."""

    tcp: bool = False
    http: str | None = None
    command: tuple[Text, ...] = ()
    timeout: int = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A process beside Ray (retrieval server, reward server)."""

    name: str
    command: tuple[Text, ...]
    on: Where = Where.HEAD
    port: int | None = None
    """A fixed port; ``None`` with ``has_port`` means one from the job's plan."""
    has_port: bool = False
    gpus: int = 0
    env: tuple[tuple[str, Text], ...] = ()
    ready: Ready | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeEnv:
    """Ray's runtime_env for a submitted job: a file, or what goes into one."""

    file: str | None = None
    working_dir: str | None = None
    env_vars: tuple[tuple[str, str], ...] = ()
    pip: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """The training command. ``command`` + ``args`` + ``extra_args`` is its argument list, kept verbatim."""

    command: tuple[Text, ...]
    args: tuple[Text, ...] = ()
    extra_args: tuple[Text, ...] = ()
    submit: str = "direct"
    """``direct`` or ``ray-job``."""
    submit_from: str = "head"
    """``head`` or ``outside`` (manifest key ``from``)."""
    wait: bool = True
    runtime_env: RuntimeEnv | None = None
    span: Span | None = None

    @property
    def argv(self) -> tuple[Text, ...]:
        """The whole argument list."""
        return self.command + self.args + self.extra_args


@dataclass(frozen=True, slots=True, kw_only=True)
class Logs:
    """Where a job's output goes: ``dir`` relative to the submit folder; ``driver`` is a copy of the driver's output."""

    dir: str = "logs"
    driver: str | None = None
    ray_session: str = "never"
    """Copy Ray's session logs there: ``never``, ``on-failure`` or ``always``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTimeLimit:
    """What happens before the time limit.

    ``signal`` reaches the driver ``before`` seconds earlier, ``then`` the job is requeued or stops.
    """

    signal: str = "USR1"
    before: int = 300
    then: str = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """What a second attempt does differently: ``args`` are appended to the driver's from attempt 1 on."""

    args: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Debug:
    """Ray's debuggers.

    ``post_mortem`` sets RAY_DEBUG_POST_MORTEM=1, ``legacy`` sets RAY_DEBUG=legacy and --ray-debugger-external.
    """

    post_mortem: bool = False
    legacy: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A file with the address of a port of the head, written when the cluster is ready, for other jobs to read."""

    file: Text
    service: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuRequest:
    """How the site spells a GPU request: ``form`` gpus-per-node, gres or none; ``type`` is the GRES type."""

    form: str = "gpus-per-node"
    type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slurm:
    """Directives.

    ``fields`` holds the typed ones by manifest name, values as written or bool; the table in
    ``mngen.targets.slurm_options`` gives each its sbatch spelling.
    """

    fields: Mapping[str, str | bool] = field(default_factory=dict)
    gpu_request: GpuRequest = field(default_factory=GpuRequest)
    extra: tuple[str, ...] = ()
    version: str | None = None
    output: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyImage:
    """An image that exists already: exactly one of a registry reference, a SIF path, a squashfs path."""

    ref: str | None = None
    sif: Text | None = None
    sqsh: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One place to run, with everything that applies there."""

    name: str
    kind: str
    workload: str
    """The manifest's ``name``."""
    variant: Variant = Variant.CUDA
    runtime: Runtime = Runtime.NONE
    resources: Resources
    image: ReadyImage | None = None
    built_image: Image | None = None
    """The described image of this target's variant; also beside a ready ``sif``, which may be made from it."""
    workdir: Text | None = None
    code: Code | None = None
    mounts: tuple[Mount, ...] = ()
    env: tuple[tuple[str, Text], ...] = ()
    env_files: tuple[Text, ...] = ()
    secrets: tuple[Secret, ...] = ()
    unset_env: tuple[str, ...] = ()
    """Names, or prefixes that end in ``*``."""
    ulimits: tuple[tuple[str, str], ...] = ()
    network: Network = field(default_factory=Network)
    ray: Ray = field(default_factory=Ray)
    container: Container = field(default_factory=Container)
    host_setup: Script | None = None
    setup: Script | None = None
    preflight: Script | None = None
    cleanup: Script | None = None
    prepare: tuple[Prepare, ...] = ()
    services: tuple[Service, ...] = ()
    driver: Driver
    logs: Logs = field(default_factory=Logs)
    on_time_limit: OnTimeLimit | None = None
    on_node_loss: str = "fail"
    resume: Resume | None = None
    debug: Debug = field(default_factory=Debug)
    endpoint: Endpoint | None = None
    expose: tuple[int, ...] = ()
    slurm: Slurm = field(default_factory=Slurm)
    version: str | None = None
    """The version of the target's own system (SkyPilot, dstack) that the file is for."""
    raw: Mapping[str, Any] = field(default_factory=dict)
    """SkyPilot and dstack: merged into the generated document as it is; never interpolated."""
    spans: Mapping[str, Span] = field(default_factory=dict)
    """Where each field of this target was written, by dotted manifest path (``slurm.time``)."""

    def span(self, path: str) -> Span | None:
        """The place of a field, or of its nearest known ancestor."""
        while path:
            if path in self.spans:
                return self.spans[path]
            path = path.rpartition(".")[0]
        return self.spans.get("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A whole manifest, checked and merged."""

    name: str
    file: str
    """The manifest as the user named it on the command line, for messages; ``<stdin>`` for ``-``."""
    file_name: str
    """The manifest's base name, for headers of generated files."""
    targets: tuple[Target, ...]
    images: Mapping[Variant, Image] = field(default_factory=dict)
    """Described images by variant: what gets a Dockerfile and a definition file."""
    source: str = "../.."
    """The way from a target's output folder to the manifest's folder, in POSIX form."""
    digest: str = ""
    """sha256 of the effective data, for the inventory."""
