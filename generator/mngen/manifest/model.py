"""The manifest as typed values: what ``parse`` builds and every target reads.

One :class:`Target` is the whole effective description of one place to run, after the target's own
fields, its site file, overlays and ``--set`` were merged over the manifest's top level. Field names
are the manifest's own. Sizes keep the user's spelling (``64G``); targets convert them.

The parts are in ``model_place`` and ``model_run``; all are imported from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from msgspec import Struct, field

from mngen.diagnostics import Span
from mngen.manifest.image import Image
from mngen.manifest.mirrors import Mirrors
from mngen.manifest.model_place import (
    Code,
    Container,
    GpuRequest,
    Memory,
    Mount,
    Network,
    ReadyImage,
    Resources,
    Slurm,
)
from mngen.manifest.model_run import (
    Dashboard,
    Debug,
    Driver,
    Endpoint,
    Logs,
    OnTimeLimit,
    Prepare,
    Ray,
    Ready,
    Resume,
    Retry,
    RuntimeEnv,
    Script,
    Secret,
    Service,
    Where,
)
from mngen.manifest.node import nearest_span
from mngen.manifest.text import Text

__all__ = [
    "Code",
    "Container",
    "Dashboard",
    "Debug",
    "Driver",
    "Endpoint",
    "GpuRequest",
    "Logs",
    "Manifest",
    "Memory",
    "Mirrors",
    "Mount",
    "Network",
    "OnTimeLimit",
    "Prepare",
    "Ray",
    "Ready",
    "ReadyImage",
    "Resources",
    "Resume",
    "Retry",
    "Runtime",
    "RuntimeEnv",
    "Script",
    "Secret",
    "Service",
    "Slurm",
    "Target",
    "Variant",
    "Where",
]


class Variant(Enum):
    """Which software stack an image has; decides the GPU vendor."""

    CUDA = "cuda"
    ROCM = "rocm"


class Runtime(Enum):
    """How a process gets into the image on a Slurm or hand-started node."""

    NONE = "none"
    APPTAINER = "apptainer"
    DOCKER = "docker"
    PODMAN = "podman"
    PYXIS = "pyxis"
    PREFIX = "prefix"

    def __init__(self, spelled: str) -> None:
        self.is_container = spelled not in {"none", "prefix"}
        """Whether it starts an image; what a ``prefix`` does is not known."""
        self.is_engine = spelled in {"docker", "podman"}
        """Whether it is a container engine with the command line of docker."""


class Target(Struct, frozen=True, kw_only=True, eq=False):
    """One place to run, with everything that applies there; what is known of one is kept by its identity."""

    name: str
    kind: str
    """What it is run by: a kind of mngen's own, or one that another package brings."""
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
    mirrors: Mirrors = field(default_factory=Mirrors)
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
    retry: Retry | None = None
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

    @property
    def keeps_logs(self) -> bool:
        """Whether the job writes anything to the log folder; a driver from outside leaves no log there."""
        drives = self.driver.submit_from == "head"
        return (drives and bool(self.logs.driver)) or self.logs.ray_session != "never"

    def span(self, path: str) -> Span | None:
        """The place of a field, or of its nearest known ancestor."""
        return nearest_span(self.spans, path)


class Manifest(Struct, frozen=True, kw_only=True):
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
    out: str = "out"
    """The way from the manifest's folder to the output folder, in POSIX form."""
    options: tuple[str, ...] = ()
    """The overlays and settings of this rendering, as the command line takes them in the manifest's folder."""
    digest: str = ""
    """sha256 of the effective data, for the inventory."""
