"""Variables of the launch script itself, which the manifest's own must not overwrite."""

from __future__ import annotations

from collections.abc import Mapping

from mngen.manifest.model import Target

OWN: Mapping[str, str] = {
    "RAY_ADDRESS": "the head's address",
    "RAY_AUTH_TOKEN": "secrets.RAY_AUTH_TOKEN or ray.auth",
    "RAY_AUTH_TOKEN_PATH": "ray.auth",
    "RAY_AUTH_MODE": "ray.auth",
    "RAY_TMPDIR": "ray.temp_dir",
    "HEAD_IP": "network",
    "HEAD_HOST": "network",
    "HEAD_ADDRESS": "network and ray.ports.gcs",
    "NODE_IP": "network",
    "NODE_HOST": "network",
    "NODE_RANK": "the node's place in the job",
    "VLLM_HOST_IP": "network",
    "HOST_UID": "container.host_ids",
    "HOST_GID": "container.host_ids",
}
"""What the job sets on every node for the programs in it, with what decides it."""

INTERNAL = frozenset(
    {
        "ADDRESS_FILTER",
        "ATTEMPT",
        "BATCH_PID",
        "CANCELLED",
        "CLUSTER_NODES",
        "CONTAINER_PID",
        "CPUS",
        "DEADLINE",
        "DRIVER",
        "DRIVER_PID",
        "ENDPOINT",
        "GPUS",
        "GPU_ARCH",
        "GPU_FITS",
        "GPU_MASK",
        "HOST_SUFFIX",
        "IMAGE_DIGEST",
        "IP_VERSIONS",
        "JOB_DIR",
        "JOB_ID",
        "JOB_NAME",
        "JOB_OPTIONS",
        "LIFELINE",
        "LINK_LAYER",
        "LOG_PID",
        "LOOPBACK",
        "NODES",
        "NODE_INTERFACE",
        "NODE_NAME",
        "NODE_NAMES",
        "PART_PID",
        "PORT_BLOCK",
        "PORT_LOCK",
        "RAY",
        "RAY_PYTHON",
        "RAY_VERSION",
        "RAY_WITHOUT",
        "READY_TIMEOUT",
        "REASONS",
        "RETRY_CODES",
        "RETRY_MAX",
        "SECRETS",
        "SERVICE_GPUS",
        "SHM_KIB",
        "SOURCED",
        "STEP_ENDED",
        "STEP_PID",
        "SUBMIT_DIR",
        "TIME_LIMIT",
        "UNSET_PREFIXES",
        "first",
        "workers",
    }
)
"""Variables that only the launch script uses; some of them are read-only there."""

FUNCTIONS = frozenset(
    {
        "address_towards",
        "await_folder",
        "batch",
        "bypass_proxy",
        "check_fabric",
        "check_gpu_arch",
        "check_gpus",
        "check_image",
        "check_ray_tokens",
        "check_ray_version",
        "check_shm",
        "check_torch",
        "choose_head_address",
        "choose_node_address",
        "client_goes_on",
        "cluster_is_missing",
        "dashboard_is_missing",
        "driver_goes_on",
        "driver_has_ended",
        "driver_has_no_status",
        "enter_container",
        "fail",
        "find_head",
        "finish",
        "follow_head",
        "head_is_missing",
        "head_stays",
        "hide_launcher_variables",
        "host_port",
        "http_answers",
        "is_retried",
        "keep_cluster",
        "keep_ray_logs",
        "leave",
        "leave_host",
        "listening_at",
        "node",
        "notice_loss",
        "other_run",
        "own_addresses",
        "pass_time_limit",
        "read_env_file",
        "read_secret",
        "replace_home",
        "receive",
        "require_secrets",
        "run_driver",
        "run_processes",
        "run_step",
        "running",
        "say",
        "service_is_silent",
        "set_driver",
        "set_environment",
        "set_limit",
        "source_text",
        "start_part",
        "take_folder",
        "take_gpus",
        "take_ports",
        "text_failed",
        "verdict",
        "wait_for_service",
        "wait_while",
        "watch_cluster",
        "watch_lifeline",
        "withdraw_endpoint",
        "write_endpoint",
    }
)
"""Functions of the launch script, which a text that its own shell reads must not define anew."""

PARTS = frozenset({"ray", "cluster", "time-limit", "driver"})
"""What a service must not be called: parts of the job's own."""

RAY_PORTS = frozenset(
    {
        "AGENT_GRPC_PORT",
        "AGENT_PORT",
        "CLIENT_PORT",
        "DASHBOARD_PORT",
        "GCS_PORT",
        "METRICS_PORT",
        "NODE_MANAGER_PORT",
        "OBJECT_MANAGER_PORT",
        "RUNTIME_ENV_PORT",
    }
)
"""Variables of Ray's ports."""

SHELL = frozenset(
    {
        "BASHOPTS",
        "BASHPID",
        "BASH_ALIASES",
        "BASH_ARGC",
        "BASH_ARGV",
        "BASH_ARGV0",
        "BASH_CMDS",
        "BASH_COMMAND",
        "BASH_COMPAT",
        "BASH_ENV",
        "BASH_LINENO",
        "BASH_SOURCE",
        "BASH_SUBSHELL",
        "BASH_VERSINFO",
        "BASH_XTRACEFD",
        "DIRSTACK",
        "EPOCHREALTIME",
        "EPOCHSECONDS",
        "EUID",
        "FUNCNAME",
        "FUNCNEST",
        "GROUPS",
        "HISTCMD",
        "IFS",
        "LINENO",
        "POSIXLY_CORRECT",
        "PPID",
        "RANDOM",
        "SECONDS",
        "SHELLOPTS",
        "SRANDOM",
        "TMOUT",
        "UID",
        "_",
    }
)
"""bash(1), Shell Variables: read-only, or given a meaning that an assignment would break."""

LOCAL = frozenset({"file", "name", "ray_tmpdir", "role", "status"})
"""Names that functions keep for themselves while they start what the user gave: bash hands on theirs instead."""


OF_LOGS = frozenset({"LOG_DIR"})
"""Names that are the script's own where a job keeps logs, and free where it keeps none."""

OF_SUBMIT = frozenset({"here", "job", "secrets"})
"""Names that `submit.sh` keeps for itself while it hands secrets over."""


def port_variable(service: str) -> str:
    """Return the variable that holds a service's port: ``retriever`` gives ``RETRIEVER_PORT``."""
    return service.upper().replace("-", "_") + "_PORT"


def taken_by(target: Target, name: str) -> str | None:
    """Say what decides a variable that the launch script sets, or ``None`` for a name that is free."""
    if name in OWN:
        return OWN[name]
    if name.startswith("MNGEN_") or name in INTERNAL:
        return "its own bookkeeping"
    if name in OF_LOGS and target.keeps_logs:
        return "logs.dir"
    if name in RAY_PORTS:
        return "ray.ports"
    for service in target.services:
        if service.has_port and port_variable(service.name) == name:
            return f"services.{service.name}.port"
    return None
