"""SkyPilot: a task file and the boot script that it carries.

The script is a file of its own because SkyPilot runs ``run`` in an interactive bash without errexit
and takes the last command's status (``make_task_bash_script`` in
https://github.com/skypilot-org/skypilot/blob/master/sky/skylet/log_lib.py).
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any

from mngen.diagnostics import Diagnostic
from mngen.launch import header
from mngen.launch.job import tunnel
from mngen.launch.ranks import together
from mngen.launch.sizes import short
from mngen.launch.words import quote
from mngen.manifest import gpu_names
from mngen.manifest.cloud_names import LOGIN, RDMA, SCRIPTS, names_volume
from mngen.manifest.model import Manifest, Mount, Target, Variant
from mngen.manifest.text import spelled
from mngen.plan import PlannedFile
from mngen.targets import boot, document, machine, no_effect, ray_job, skypilot_notes
from mngen.targets.secret_words import typed

kind = "skypilot"
api = 1

SCRIPT = SCRIPTS[kind]

_COMMENTS = {
    "resources.job_recovery": "Of a managed job alone, `sky jobs launch`.",
    "resources.network_tier": "RDMA between the nodes, on clouds and clusters where SkyPilot can set it up.",
    "config.docker": "On virtual machines; without it SkyPilot takes /dev/shm's size from the free memory.",
    "config.kubernetes": "The same on Kubernetes: the volume dshm is the pod's /dev/shm.",
    "workdir": "Goes to ~/sky_workdir, where the run starts.",
    "file_mounts": "Local paths are relative to the folder in which sky runs: this file's.",
    "volumes": "Made before, with `sky volumes apply`; `sky volumes ls` lists them.",
    "secrets": "Names only: `sky launch --secret NAME` takes the value from the shell that runs it.",
    "run": "One command: SkyPilot runs this text in an interactive shell that goes on after errors and\n"
    "reports the status of the last command alone.",
}


def notes(target: Target, manifest: Manifest) -> list[Diagnostic]:
    """Say which fields have no effect on SkyPilot or work otherwise, and refuse what it cannot do."""
    return [*skypilot_notes.notes(target), *no_effect.raw(target, _base(target, manifest), target.raw)]


def _resources(target: Target) -> dict[str, Any]:
    resources = target.resources
    image = machine.image(target)
    memory = machine.memory_gibibytes(resources.memory, resources.cpus, resources.gpus)
    out: dict[str, Any] = {}
    if resources.gpus and resources.gpu_type:
        size = machine.gibibytes(resources.gpu_memory) if resources.gpu_memory else None
        out["accelerators"] = f"{gpu_names.skypilot(resources.gpu_type, size)}:{resources.gpus}"
    # Machines come in fixed sizes: an exact number would fit almost none.
    if resources.cpus:
        out["cpus"] = f"{resources.cpus}+"
    if memory:
        out["memory"] = f"{memory}+"
    if resources.disk:
        out["disk_size"] = machine.gibibytes(resources.disk)
    if target.network.fabric in RDMA:
        out["network_tier"] = "best"
    if image:
        out["image_id"] = f"docker:{image}"
    if target.expose:
        out["ports"] = list(target.expose)
    if target.retry:
        out["job_recovery"] = {"max_restarts_on_errors": target.retry.max}
    return out


_AMD = ("--device=/dev/kfd", "--device=/dev/dri", "--group-add=video", "--security-opt=seccomp=unconfined")
"""SkyPilot gives a container NVIDIA's devices alone.

https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
"""


def _config(target: Target) -> dict[str, Any]:
    """Settings of SkyPilot itself; what a machine's container gets by an option of docker, a pod has as a volume."""
    if not machine.image(target):
        return {}
    shm, options = target.resources.shm, []
    config: dict[str, Any] = {}
    if shm:
        size = short(shm)
        options.append(f"--shm-size={size.lower()}")
        volume = {"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": f"{size}i"}}
        config["kubernetes"] = {"pod_config": {"spec": {"volumes": [volume]}}}
    if target.variant is Variant.ROCM and target.resources.gpus:
        options += _AMD
    return ({"docker": {"run_options": options}} if options else {}) | config


def _mounted(mount: Mount, path: str, source: str) -> Any:
    """One entry of ``file_mounts``: a bucket that can be written is mounted, everything else is copied."""
    if path.startswith(machine.BUCKETS):
        return path if mount.mode == "ro" else {"source": path, "mode": "MOUNT"}
    return path if path.startswith(("/", "~")) else f"{source}/{path.removeprefix('./')}"


def _file_mounts(target: Target, manifest: Manifest) -> dict[str, Any]:
    out: dict[str, Any] = {SCRIPT: "boot.sh"}
    for mount in target.mounts:
        path = machine.home_path(mount.source)
        if path is not None and not names_volume(mount.source):
            out[machine.home_path(mount.target) or mount.place] = _mounted(mount, path, manifest.source)
    return out


def _volumes(target: Target) -> dict[str, str]:
    """Volumes by the path at which they are seen."""
    return {mount.place: spelled(mount.source) for mount in target.mounts if names_volume(mount.source)}


def _workdir(target: Target, manifest: Manifest) -> Any:
    code = target.code
    if code is not None and code.git is not None:
        return {"url": code.git, **({"ref": code.ref} if code.ref else {})}
    return machine.code_folder(target, manifest.source)


def _secrets(target: Target) -> dict[str, str | None]:
    """Secrets by name, and a registry's login, which SkyPilot wants to find in one place.

    Optional ones are handed over on the command line when they are there: a name without a value is refused.
    """
    login = {name: value.literal for name, value in target.env if name in LOGIN}
    names = [s.name for s in target.secrets if s.file is None and (s.required or s.name in LOGIN)]
    return {**login, **dict.fromkeys(names)}


def _comments(target: Target, data: Mapping[str, Any]) -> dict[str, str]:
    """Return the comments of a task: what its entries need said, and no more."""
    comments = dict(_COMMENTS)
    if not target.resources.shm:  # what else is there says for itself what it is for
        del comments["config.docker"], comments["config.kubernetes"]
    if any(not path.startswith("~") for path in data["file_mounts"]):
        comments["file_mounts"] += "\nA link is made at each path outside of ~, so the image must have nothing there."
    secrets = data.get("secrets")
    if not isinstance(secrets, Mapping) or any(value is not None for value in secrets.values()):
        comments.pop("secrets")
    return comments


def task(target: Target, manifest: Manifest) -> dict[str, Any]:
    """Return the task as plain data."""
    return document.merge(_base(target, manifest), target.raw)


def _base(target: Target, manifest: Manifest) -> dict[str, Any]:
    base = {
        "name": target.workload,
        "num_nodes": target.resources.nodes,
        "resources": _resources(target),
        "config": _config(target),
        "workdir": _workdir(target, manifest),
        "file_mounts": _file_mounts(target, manifest),
        "volumes": _volumes(target),
        "secrets": _secrets(target),
        "run": f"bash {SCRIPT}",
    }
    return document.without_empty(base)


def _link(target: Target) -> list[str]:
    """Lines that show the code, which SkyPilot puts in a place of its own, where the manifest wants it."""
    if target.code is None or target.code.to is None:
        return []
    place = target.code.to.rstrip("/")
    return [
        f"{{ mkdir -p {quote(posixpath.dirname(place))} && ln -sfnT ~/sky_workdir {quote(place)}; }} \\",
        f"    || fail 78 'code.to cannot be made, or something else is there:' {quote(place)}",
    ]


def _enter(target: Target) -> tuple[str, ...]:
    folder = f"{target.ray.temp_dir.rstrip('/')}/mngen-$(id -u)"
    return (
        "NODE_RANK=${SKYPILOT_NODE_RANK} NODE_NAME=rank-${SKYPILOT_NODE_RANK}",
        "JOB_ID=${SKYPILOT_TASK_ID} ATTEMPT=0",
        "# What SkyPilot's own Ray set for this task is not meant for the job's.",
        "unset OMP_NUM_THREADS RAY_CLIENT_MODE RAY_JOB_ID RAY_RAYLET_PID",
        'mapfile -t addresses <<<"${SKYPILOT_NODE_IPS}"',
        "HEAD_IP=${addresses[0]}",
        f'await_folder "{folder}"',
        *machine.ready(target, folder),
        '((${#addresses[@]} == NODES)) || fail 75 "SkyPilot gave ${#addresses[@]} nodes, the manifest says ${NODES}"',
        *_link(target),
    )


def plan(target: Target, manifest: Manifest) -> tuple[PlannedFile, ...]:
    """task.sky.yaml and boot.sh."""
    runs = machine.in_image(target)
    reach = tunnel(target, _cluster(target))
    modules = ("node_by_socket", "await_folder")
    role = boot.Role(enter=_enter(runs), modules=modules, ranks=together(target), reach=reach)
    who = "SkyPilot runs this file on every node."
    script = boot.boot(runs, role, boot.explanation(runs, manifest, who, role.ranks))
    data = task(target, manifest)
    about = machine.about(target, manifest, f"{header.cluster(target)}, as a task for SkyPilot")
    return (
        document.described(target, "task.sky.yaml", about, document.body(data, _comments(target, data))),
        boot.file(runs, "boot.sh", script, role.ranks),
        *ray_job.outside(target, manifest, reach),
    )


_MANAGED = "Or as a managed job, whose machines go when it ends"


def _cluster(target: Target) -> str:
    """Return a name for the cluster, which must begin with a letter."""
    return target.workload if target.workload[0].isalpha() else f"run-{target.workload}"


def usage(target: Target, manifest: Manifest) -> tuple[tuple[str, str], ...]:
    """Commands for the README."""
    folder = header.folder(manifest, target)
    handed = "".join(
        f" --secret {s.name}" if s.required else f" ${{{s.name}:+--secret={s.name}}}"
        for s in target.secrets
        if s.file is None
    )
    names = [s.name for s in target.secrets if s.file is None]
    cluster, port = _cluster(target), target.ray.ports.get("dashboard", 8265)
    lines = [typed(f"Set {', '.join(names)} in this shell", names, target)] if names else []
    lines += [
        (
            "Launch, from this target's folder; the machines stay, and cost, until `sky down`",
            f"(cd {folder} && sky launch --cluster {cluster}{handed} task.sky.yaml)",
        ),
        (_MANAGED + _recovers(target), f"(cd {folder} && sky jobs launch --name {cluster}{handed} task.sky.yaml)"),
        ("Follow", f"sky logs {cluster}"),
        ("Follow a managed job", f"sky jobs logs --name {cluster}"),
    ]
    lines.append(("Open a shell on the head", f"ssh {cluster}"))
    if target.ray.dashboard.enabled:
        lines.append(
            (f"Reach the dashboard on http://localhost:{port}", f"ssh -N -L {port}:localhost:{port} {cluster}")
        )
    lines += ray_job.usage(target, "submit-job.sh", folder)
    lines.append(("Stop the run, then the machines", f"sky cancel --all {cluster} && sky down {cluster}"))
    lines.append(("Stop a managed job", f"sky jobs cancel --name {cluster}"))
    return tuple(lines)


def _recovers(target: Target) -> str:
    """Say what only a managed job does, where the manifest asks for it."""
    resources = target.raw.get("resources")
    chosen = resources if isinstance(resources, Mapping) else {}
    asked = [f"raw.resources.{key}" for key in ("use_spot", "job_recovery") if chosen.get(key)]
    asked += ["retry"] if target.retry else []
    return f": only it recovers what is lost ({asked[-1]})" if asked else ""
