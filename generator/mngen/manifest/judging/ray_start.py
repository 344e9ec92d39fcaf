"""The options of ``ray start``: what follows each, who decides it, and which Ray has it.

The lists are those of the table in ``checks/tables``, which names its sources; a test holds the two together.
"""

from __future__ import annotations

from mngen.manifest.model import Target

ARGUMENT_LISTS = ("start_args", "head_args", "worker_args")
"""The fields of ``ray`` that hold options."""


def _options(names: str) -> frozenset[str]:
    return frozenset(f"--{name}" for name in names.split())


FLAGS = _options(
    """
    head block no-redirect-output enable-object-reconstruction no-monitor ray-debugger-external
    disable-usage-stats enable-resource-isolation verbose help
    """
)
"""Options that stand alone."""
VALUED = _options(
    """
    node-ip-address address port node-name redis-username redis-password redis-shard-ports object-manager-port
    node-manager-port min-worker-port max-worker-port worker-port-list ray-client-server-port memory
    object-store-memory num-cpus num-gpus resources include-dashboard dashboard-host dashboard-port
    dashboard-agent-listen-port dashboard-agent-grpc-port runtime-env-agent-port plasma-directory
    object-spilling-directory autoscaling-config temp-dir system-config metrics-export-port tracing-startup-hook
    labels labels-file include-log-monitor system-reserved-cpu system-reserved-memory cgroup-path log-style
    log-color dashboard-grpc-port gcs-server-port storage
    """
)
"""Options that take a value, behind ``=`` or as the next word, whatever that is."""
KNOWN = FLAGS | VALUED
NEWER = {
    "--labels-file": "2.47",
    "--enable-resource-isolation": "2.46",
    "--system-reserved-cpu": "2.46",
    "--system-reserved-memory": "2.46",
    "--cgroup-path": "2.50",
}
"""The first release that has an option; the others are older than all that the capability table covers, or gone."""

OWN = {
    "--head": "the node's rank",
    "--address": "the head's address",
    "--node-ip-address": "network",
    "--node-name": "the node's own name",
    "--block": "the launch script",
    "--port": "ray.ports.gcs",
    "--temp-dir": "ray.temp_dir",
    "--num-gpus": "resources.gpus (and ray.head_gpus)",
    "--num-cpus": "resources.cpus",
    "--include-dashboard": "ray.dashboard.enabled",
    "--dashboard-host": "ray.dashboard.bind",
    "--dashboard-port": "ray.ports.dashboard",
    "--dashboard-agent-listen-port": "ray.ports.agent",
    "--dashboard-agent-grpc-port": "ray.ports.agent_grpc",
    "--node-manager-port": "ray.ports.node_manager",
    "--object-manager-port": "ray.ports.object_manager",
    "--runtime-env-agent-port": "ray.ports.runtime_env_agent",
    "--metrics-export-port": "ray.ports.metrics",
    "--ray-client-server-port": "ray.ports.client",
    "--min-worker-port": "ray.ports.worker_min",
    "--max-worker-port": "ray.ports.worker_max",
    "--worker-port-list": "ray.ports.worker_min and worker_max",
}
"""What every ``ray start`` of a job is given, by option, with the field that decides it."""


def decided_by(target: Target, option: str) -> str | None:
    """Return the field, or the part of the job, that says what an option would; none of an option that is free."""
    if option == "--object-store-memory" and target.ray.object_store is not None:
        return "ray.object_store"
    if option == "--ray-debugger-external" and target.debug.legacy:
        return "debug.legacy"
    return OWN.get(option)
