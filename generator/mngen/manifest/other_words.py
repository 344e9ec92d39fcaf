"""What a key of another tool is called here: options of sbatch, keys of SkyPilot, dstack, compose files and Kubernetes.

One table for ``validate`` and for ``explain``, so that both lead to the same place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from mngen.manifest.capabilities import gpu
from mngen.manifest.cloud_keys import TASK, in_raw, raw_hint
from mngen.manifest.definitions import KINDS
from mngen.manifest.field_index import Field, fields, find
from mngen.manifest.yaml_text import flow

ALIASES = {
    **dict.fromkeys(("command", "commands", "run", "entrypoint", "cmd"), "driver.command"),
    "args": "driver.args",
    **dict.fromkeys(("num_nodes", "nnodes", "node_count"), "resources.nodes"),
    **dict.fromkeys(("gpus_per_node", "num_gpus", "accelerators", "gpu_count"), "resources.gpus"),
    **dict.fromkeys(("cpus_per_task", "num_cpus"), "resources.cpus"),
    "mem": "resources.memory",
    "shm_size": "resources.shm",
    "disk_size": "resources.disk",
    **dict.fromkeys(("environment", "envs", "env_vars"), "env"),
    "env_file": "env_files",
    **dict.fromkeys(("volumes", "binds", "bind", "file_mounts"), "mounts"),
    **dict.fromkeys(("module", "modules"), "host_setup"),
    "sbatch": "slurm",
    "working_dir": "workdir",
    "sidecars": "services",
    **dict.fromkeys(("walltime", "time_limit"), "slurm.time"),
    "queue": "slurm.partition",
    "gres": "slurm.gpu_request",
    "interface": "network.interface",
    **dict.fromkeys(("image_id", "container_image", "docker_image"), "image"),
    **dict.fromkeys(("head_port", "gcs_port"), "ray.ports.gcs"),
    "dashboard_host": "ray.dashboard.bind",
    "dashboard_port": "ray.ports.dashboard",
    "object_store_memory": "ray.object_store",
}
"""Words of other tools, each with the field that means it here."""

_INSTEAD = {
    **dict.fromkeys(
        ("ntasks", "ntasks_per_node", "tasks_per_node"),
        "leave it out: one task on each node starts Ray, which starts the workers",
    ),
    "mem_per_cpu": "write `resources: {memory: {per_cpu: SIZE}}`",
    "mem_per_gpu": "write `resources: {memory: {per_gpu: SIZE}}`",
    **dict.fromkeys(("venv", "conda"), "enter it in `setup`, such as `setup: source /path/to/venv/bin/activate`"),
    "ports": "what is reached from outside stands in `expose`, a service's own in its `port`, Ray's in `ray.ports`",
}
"""What to do in the place of a word that no field stands for."""

_DOCKERFILE = (
    "mngen writes the Dockerfile: describe the image with `repository` and `variants`, or name a built one as `ref`"
)
_READY = ("health", "healthcheck", "health_check", "readiness", "readiness_probe", "probe", "wait_for")
_BESIDE: dict[str, dict[str, str]] = {
    "prepare": {"command": "run", "cmd": "run", "script": "run"},
    "mounts": {
        **dict.fromkeys(("src", "from", "host", "host_path", "hostpath"), "source"),
        **dict.fromkeys(
            ("dst", "dest", "to", "path", "destination", "container", "container_path", "mount_path", "mountpath"),
            "target",
        ),
    },
    "secrets": {"path": "file", "from_file": "file"},
    "gpu_request": {"kind": "form"},
    "services": {
        "ports": "port",
        **dict.fromkeys(_READY, "ready"),
        **dict.fromkeys(("cmd", "run", "entrypoint"), "command"),
        **dict.fromkeys(("environment", "envs"), "env"),
        **dict.fromkeys(("nodes", "node", "where"), "on"),
        "num_gpus": "gpus",
    },
    "image": {
        **dict.fromkeys(("name", "url", "uri", "image", "docker"), "ref"),
        **dict.fromkeys(("path", "file"), "sif"),
        **dict.fromkeys(("run", "commands", "script"), "steps"),
        **dict.fromkeys(("arch", "archs", "gpu_archs", "cuda_arch_list"), "gpu_arch"),
        "packages": "apt",
        "repo": "repository",
    },
    "variants": {
        **dict.fromkeys(("from", "image"), "base"),
        **dict.fromkeys(("run", "commands", "script"), "steps"),
        **dict.fromkeys(("arch", "archs", "gpu_archs", "cuda_arch_list"), "gpu_arch"),
        "packages": "apt",
    },
    "targets": {"type": "kind"},
}
"""Words for a key beside the one that is meant, by the map or list around it."""

_RAY = {
    **dict.fromkeys(("port", "head_port", "gcs_port"), "ray.ports.gcs"),
    **dict.fromkeys(("num_cpus", "cpus"), "resources.cpus"),
    **dict.fromkeys(("num_gpus", "gpus"), "resources.gpus"),
    "dashboard_host": "ray.dashboard.bind",
    "dashboard_port": "ray.ports.dashboard",
    "include_dashboard": "ray.dashboard.enabled",
    "object_store_memory": "ray.object_store",
    "min_worker_port": "ray.ports.worker_min",
    "max_worker_port": "ray.ports.worker_max",
    "ray_client_server_port": "ray.ports.client",
    "node_manager_port": "ray.ports.node_manager",
    "object_manager_port": "ray.ports.object_manager",
    "runtime_env_agent_port": "ray.ports.runtime_env_agent",
    "metrics_export_port": "ray.ports.metrics",
    "dashboard_agent_listen_port": "ray.ports.agent",
    "dashboard_agent_grpc_port": "ray.ports.agent_grpc",
}
"""Options of ``ray start``: https://docs.ray.io/en/latest/cluster/cli.html#ray-start."""
_WITHIN = {
    "ray": _RAY,
    "ray.ports": {**_RAY, "head": "ray.ports.gcs"},
    "ray.dashboard": {"host": "ray.dashboard.bind", "address": "ray.dashboard.bind", "port": "ray.ports.dashboard"},
}
"""Words of a section, each with the field that means it, which may be elsewhere."""

FABRICS = {
    **dict.fromkeys(("ib", "infiniband", "rdma"), "ib"),
    "roce": "roce",
    "efa": "efa",
    **dict.fromkeys(("slingshot", "cxi"), "slingshot"),
}
"""Words for a fabric, each with that of ``network.fabric``."""
EVERY_NODE = frozenset({"all", "every", "each", "nodes", "all-nodes", "all_nodes", "everywhere", "every_node"})
"""Words for every node, where ``every-node`` is meant."""

_ADDRESSES = {
    **dict.fromkeys(("0.0.0.0", "::"), "all"),  # noqa: S104 - what somebody wrote
    **dict.fromkeys(("127.0.0.1", "localhost", "::1"), "loopback"),
}
"""What Ray's ``--dashboard-host`` takes, and how ``ray.dashboard.bind`` says it."""

_REQUESTS = frozenset({"gres", "gpus_per_node", "accelerators"})
_GPUS = re.compile(r"(?:gres[/:])?(?:gpu:)?(?:(?P<type>[A-Za-z][\w.-]*)[:=])?(?P<count>[0-9]{1,4})")
"""A request of Slurm's, or SkyPilot's ``H100:8``."""


def normal(key: str) -> str:
    """Return a key as the tables have it: ``gpus-per-node`` as ``gpus_per_node``, ``hostPath`` as ``hostpath``."""
    return key.replace("-", "_").lower()


def beside(name: str, around: tuple[str, ...]) -> str | None:
    """Return the key that a word means in the maps around it, the innermost of the two last."""
    return next((_BESIDE[step] for step in reversed(around[-2:]) if step in _BESIDE), {}).get(name)


def homes(name: str, here: str = "", kind: str | None = None) -> list[str]:
    """Return the paths of fields that a word may mean in the section ``here``, for a kind of target."""
    within = _WITHIN.get(here, {})
    if name in within:
        return [within[name]]
    found = [ALIASES[name]] if name in ALIASES else [field.path for field in _by_name(name)]
    found = [path for path in found if "[" not in path and "NAME" not in path]
    return [path for path in found if kind not in KINDS or kind in fields()[path].kinds]


def _by_name(name: str) -> list[Field]:
    return [field for field in fields().values() if field.name == name]


def sentence(name: str, here: str, value: Any = None) -> str | None:
    """Return a whole hint for a word, where to name another key is not enough."""
    if here in {"", "slurm", "resources"}:
        return _gpus(name, value) or _INSTEAD.get(name)
    if here == "network":
        return f"write `fabric: {FABRICS[name]}`" if name in FABRICS else None
    if here == "image":
        return _DOCKERFILE if name in {"dockerfile", "containerfile", "build", "context"} else None
    if here in {"ray", "ray.dashboard"}:
        return _bind(here, name, value)
    return _of_service(name, value) if here == "services.NAME" else None


def _bind(here: str, name: str, value: Any) -> str | None:
    bind = _ADDRESSES.get(value) if isinstance(value, str) and name in {"dashboard_host", "host", "address"} else None
    if bind is None:
        return None
    return f"write `bind: {bind}`" if here == "ray.dashboard" else f"write `dashboard: {{bind: {bind}}}`"


def _gpus(name: str, value: Any) -> str | None:
    """Return the whole of what asks for the GPUs that ``gpu:h100:8`` asks for."""
    asked = _GPUS.fullmatch(value) if name in _REQUESTS and isinstance(value, str) else None
    if asked is None:
        return None
    kind, count = asked["type"] or "", asked["count"]
    model = gpu(kind)
    known = f", gpu_type: {kind.lower()}" if name == "accelerators" or (model and model.name == kind.lower()) else ""
    gpus = f"write `resources: {{gpus: {count}{known if kind else ''}}}`"
    request = {**({"form": "gres"} if name == "gres" else {}), **({"type": kind} if kind else {})}
    return gpus if name == "accelerators" or not request else f"{gpus} and `slurm: {{gpu_request: {flow(request)}}}`"


def _of_service(name: str, value: Any) -> str | None:
    if name in {"nodes", "node", "where"} and isinstance(value, str) and value.lower() in EVERY_NODE:
        return "write `on: every-node`"
    if name in _READY and (written := ready(value)):
        return f"write `{written}`"
    return None


def ready(value: Any) -> str | None:
    """Return how ``ready`` says a text: the path of ``http``, which ``http://localhost:8000/health`` has as well."""
    path = re.sub(r"https?://[^/]*", "", value) if isinstance(value, str) else ""
    return f"ready: {{http: {flow(path)}}}" if path.startswith("/") else None


def told(path: str) -> str | None:
    """Return what ``explain`` says of a path that is no field's, when a part of it is a word of another tool."""
    steps = re.sub(r"\[[^\]]*\]", "", path.strip()).split(".")
    if steps[0] in {"target", "targets"} and len(steps) > 2:
        steps = steps[2:]
    name, around = normal(steps[-1]), tuple(steps[:-1])
    field = find(".".join(around)) if around else None
    if around and field is None:
        return None
    here = field.path.removesuffix("[]") if field else ""
    if words := sentence(name, here):
        return words
    meant = beside(name, around)
    parent = "mounts[]" if here == "mounts" else here
    if field is not None and meant and f"{parent}.{meant}" in fields():
        return f"did you mean `{parent}.{meant}`?"
    if name in ALIASES or name in _WITHIN.get(here, {}):
        return "did you mean " + " or ".join(f"`{one}`" for one in homes(name, here)) + "?"
    return raw_hint(TASK, name) if here in {"", "resources"} and not _by_name(name) else None


def of_cloud(kind: str | None, kinds: Iterable[str], name: str, value: Any, here: str) -> str | None:
    """Return a hint to ``raw`` in a target, or at the top of a manifest with targets of these kinds."""
    if kind in TASK:
        written = in_raw(kind, name, value)
        return f"write `{written}`{' beside `resources`' if here else ''}" if written else None
    return raw_hint([one for one in TASK if one in kinds] or TASK, name, value)
