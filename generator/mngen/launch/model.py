"""What a launch template needs, already in shell words; one field per hole of a template."""

from __future__ import annotations

from msgspec import Struct, field

from mngen.plan import Raw


class Setting(Struct, frozen=True):
    """A ``readonly`` variable and its value."""

    name: str
    value: Raw


class TextBlock(Struct, frozen=True):
    """A text of the user's, kept in a quoted here-document and written to ``file`` in the job's folder."""

    name: str
    title: Raw
    file: str
    delimiter: Raw
    body: Raw


class LaunchScript(Struct, frozen=True, kw_only=True):
    """Everything that the launch templates print, in the order of the file."""

    header: tuple[Raw, ...]
    directives: tuple[Raw, ...] = ()
    settings: tuple[Raw, ...]
    modules: tuple[str, ...]
    command: Raw
    arguments: tuple[Raw, ...]
    resume: Raw | None = None
    env: tuple[tuple[Raw, Raw], ...] = ()
    unset: Raw | None = None
    limits: tuple[tuple[Raw, Raw], ...] = ()
    ports: tuple[Raw, ...]
    texts: tuple[TextBlock, ...] = ()
    ray_command: Raw
    ray_options: Raw
    head_options: Raw
    client_option: Raw
    worker_options: Raw
    cluster_gpus: Raw
    on_node_loss: Raw
    inside_name: Raw
    who: tuple[Raw, ...] = ()
    choose_head: Raw = Raw("")
    has_host_role: bool = False
    has_head: bool = True
    has_workers: bool = True
    has_driver: bool = True
    requeues: int = 0
    """Seconds from the warning of the time limit until the job goes back to the queue, whether its driver has ended or
    not; 0 where it does not."""
    retries: bool = False
    """Whether a failure may put the job back into the queue."""
    patience: int = 300
    """Tenths of a second that the nodes have to end in, once the driver has."""
    uses_loopback: bool = False
    head_prepares: bool = False
    told_status: int = 0
    on_slurm: bool = True
    """Whether Slurm starts it: it sends USR2 and masks GPUs. Elsewhere the file takes the machine's folder itself."""
    stop_signals: Raw = Raw("TERM INT USR2")
    signal: Raw | None = None
    exported: Raw
    cleans_up: bool = False
    keeps_driver_log: bool = False
    deaf_driver: bool = False
    """Whether the driver must not see the signal by which a step is told to end."""
    warns_driver: bool = False
    """Whether a warning of the time limit is passed to the driver's process."""
    drives_ray_job: bool = False
    """True where the node that runs this submits the driver to Ray's job server, which then runs it."""
    inside_sources: bool = False
    host_sources: bool = False
    in_home: Raw = Raw("")
    """Mounts that may lie below the home of whom the job runs as inside, where that home is the image's."""
    enter: tuple[Raw, ...] = ()
    before_ray: tuple[Raw, ...] = ()
    follow: tuple[Raw, ...] = ()
    before_driver: tuple[Raw, ...] = ()
    drive: tuple[Raw, ...] = ()
    head_status: tuple[Raw, ...] = ()
    """The first lines of a node's end, before it waits for what it started."""
    leave: tuple[Raw, ...] = ()
    runtime: str = "none"
    client: Raw = Raw("")
    client_options: Raw = Raw("")
    gpu_arrays: bool = False
    grant_array: bool = False
    gpu_setup: tuple[Raw, ...] = ()
    env_prefix: Raw = Raw("")
    image: Raw = Raw("")
    handover: Raw = Raw("")
    host_enter: tuple[Raw, ...] = ()
    host_leave: tuple[Raw, ...] = ()
    step_options: Raw = Raw("")
    temp_dir: Raw = Raw("")
    batch_enter: tuple[Raw, ...] = ()
    batch_leave: tuple[Raw, ...] = ()
    token: bool = False
    nodes_text: Raw = Raw("")


class SlurmHelper(Struct, frozen=True, kw_only=True):
    """What ``submit.sh`` and ``attach.sh`` print; every value is a shell word."""

    header: tuple[Raw, ...]
    source: Raw
    secrets: tuple[Raw, ...]
    code: Raw
    """The code's folder below the manifest's; empty where the job needs none there."""
    folders: tuple[Raw, ...]
    log: Raw
    """The file of the job's output; empty where its name is known only once the job runs."""
    errors: Raw
    """Where the job's own messages go, when that is another file."""
    client: Raw
    runtime: str
    task: Raw
    """The number of a job array's first task; empty for a job that is no array."""
    arguments: bool
    """Whether the job hands what follows ``submit.sh`` to a driver."""
    warns: bool
    """Whether the job has a warning of its time limit, which a user may give by hand."""
    dashboard: bool
    port: int
    """The dashboard's port on the machine that looks at it."""
    gpus: bool
    """Whether the job has GPUs, of which a step for a shell must not wait."""
    token: bool
    """Whether the dashboard asks for the job's token."""


class Context(Struct, frozen=True):
    """The variable that launch templates see: ``s``, the script."""

    s: LaunchScript = field()
