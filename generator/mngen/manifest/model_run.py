"""The parts of a target that say what runs there: scripts, Ray, services, the driver, logs."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct, field

from mngen.diagnostics import Span
from mngen.manifest.text import Text


class Where(Enum):
    """Which nodes something runs on: the head alone, or every node."""

    HEAD = "head"
    EVERY_NODE = "every-node"


class Script(Struct, frozen=True):
    """Shell text of the user's (setup, prepare, ...), verbatim but for placeholders."""

    text: Text
    span: Span | None = None
    literal_block: bool = False


class Secret(Struct, frozen=True, kw_only=True):
    """A secret by name; its value comes from the submitting shell, or from ``file`` read on the node."""

    name: str
    required: bool = True
    file: Text | None = None


class Dashboard(Struct, frozen=True, kw_only=True):
    """Ray's dashboard: ``bind`` is ``loopback`` or ``all`` (which demands token authentication)."""

    enabled: bool = True
    bind: str = "loopback"


class Ray(Struct, frozen=True, kw_only=True):
    """How the Ray cluster is brought up."""

    version: str | None = None
    command: tuple[str, ...] = ("ray",)
    python: tuple[str, ...] = ()
    """The Python that has Ray; empty where ``command`` tells it."""
    ready_timeout: int | None = None
    """Seconds; without it what ``mngen.launch.patience`` has."""
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
    start_args: tuple[Text, ...] = ()
    head_args: tuple[Text, ...] = ()
    worker_args: tuple[Text, ...] = ()
    unset_env_prefixes: tuple[str, ...] = ()
    """Prefixes (``SLURM_``, ``PMI``) removed from the environment of Ray's own processes."""


class Prepare(Struct, frozen=True, kw_only=True):
    """A step that runs once the runtime is up and before the driver."""

    script: Script
    when: str = "before-driver"
    """``before-ray`` or ``before-driver``."""
    on: Where = Where.HEAD
    creates: Text | None = None
    name: str | None = None


class Ready(Struct, frozen=True, kw_only=True):
    """When a service counts as ready: exactly one of tcp, http, command; ``timeout`` in seconds."""

    tcp: bool = False
    http: str | None = None
    command: tuple[Text, ...] = ()
    timeout: int = 600


class Service(Struct, frozen=True, kw_only=True):
    """A process beside Ray (retrieval server, reward server)."""

    name: str
    command: tuple[Text, ...]
    on: Where = Where.HEAD
    port: int | None = None
    """A fixed port; ``None`` with ``has_port`` means one from the job's plan."""
    has_port: bool = False
    gpus: int = 0
    """GPUs that it takes away from Ray."""
    shares_gpus: bool = False
    """True when it sees those that Ray has."""
    env: tuple[tuple[str, Text], ...] = ()
    ready: Ready | None = None
    span: Span | None = None


class RuntimeEnv(Struct, frozen=True, kw_only=True):
    """Ray's runtime_env for a submitted job: a file, or what goes into one."""

    file: str | None = None
    working_dir: str | None = None
    env_vars: tuple[tuple[str, str], ...] = ()
    pip: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()


class Driver(Struct, frozen=True, kw_only=True):
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


class Logs(Struct, frozen=True, kw_only=True):
    """Where a job's output goes: ``dir`` relative to the submit folder; ``driver`` is a copy of the driver's output."""

    dir: str = "logs"
    driver: str | None = None
    ray_session: str = "never"
    """Copy Ray's session logs there: ``never``, ``on-failure`` or ``always``."""


class OnTimeLimit(Struct, frozen=True, kw_only=True):
    """What happens before the time limit.

    ``signal`` reaches the driver ``before`` seconds earlier, ``then`` the job is requeued or stops.
    """

    signal: str = "USR1"
    before: int = 300
    then: str = "stop"


class Retry(Struct, frozen=True, kw_only=True):
    """When a job that failed is started again: at most ``max`` times, after one of these exit statuses."""

    max: int = 3
    exit_codes: tuple[int, ...] = (75, 76, 77)


class Resume(Struct, frozen=True, kw_only=True):
    """What a second attempt does differently: ``args`` are appended to the driver's from attempt 1 on."""

    args: tuple[Text, ...] = ()


class Debug(Struct, frozen=True, kw_only=True):
    """Ray's debuggers.

    ``post_mortem`` sets RAY_DEBUG_POST_MORTEM=1, ``legacy`` sets RAY_DEBUG=legacy and --ray-debugger-external.
    """

    post_mortem: bool = False
    legacy: bool = False


class Endpoint(Struct, frozen=True, kw_only=True):
    """A file with the address of a port of the head, written when the cluster is ready, for other jobs to read."""

    file: Text
    service: str | None = None
