"""dstack: a task, the fleet that it needs, and the boot script that it carries.

The script is a file of its own because dstack joins ``commands`` with ``&&`` and runs them in an
interactive shell, where errexit is off inside blocks and a comment swallows what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mngen.diagnostics import Diagnostic
from mngen.launch import header
from mngen.launch.job import dashboard_port, tunnel
from mngen.launch.ranks import together
from mngen.manifest import gpu_names
from mngen.manifest.cloud_names import SCRIPTS
from mngen.manifest.model import Manifest, Mount, Target, Variant
from mngen.plan import PlannedFile, Raw
from mngen.targets import boot, document, dstack_notes, machine, no_effect, ray_job
from mngen.targets.secret_words import typed

kind = "dstack"
api = 1

SCRIPT = SCRIPTS[kind]
FOLDER = "/workflow"
"""Where code without a place of its own goes, and where the run then starts: dstack's own folder of old."""

_TASK_COMMENTS = {
    "shell": "Else /bin/sh, which is dash in Debian and Ubuntu images.",
    "env": "Names only: `dstack apply` takes the values from the shell that runs it.",
    "files": "Local paths are relative to this file. dstack takes 2 MB for each unless its server allows more.",
    "repos": "Cloned on every node.",
    "commands": "One command: dstack joins several with && in a shell that does not stop at errors inside of them.",
    "ports": "Forwarded to localhost while `dstack attach` runs, not published.",
    "volumes": "A path of the instance is on that instance alone and goes with it, unless it is a network mount there.",
    "stop_criteria": "The head ends with the driver's status, and that is the run's; workers only follow it.",
}
_ARGUMENTS = "\nWhat follows `dstack apply … --` goes to the driver."
_FLEET_COMMENTS = {
    "nodes": "Rented when a run needs them, given back when idle.",
    "placement": "dstack puts runs of several nodes only on fleets with connected machines.",
}
_PLACES = (
    "backends",
    "regions",
    "availability_zones",
    "instance_types",
    "reservation",
    "spot_policy",
    "max_price",
    "tags",
    "backend_options",
)
"""Where machines come from: a run gets only what its fleet may rent, so ``raw`` says it for both."""


def notes(target: Target, manifest: Manifest) -> list[Diagnostic]:
    """Say which fields have no effect on dstack or work otherwise, and refuse what it cannot do."""
    return [*dstack_notes.notes(target), *no_effect.raw(target, _base(target, manifest), _raw(target))]


def _gpu(target: Target) -> str | None:
    """Vendor, model, memory and count. The vendor is always there: the image runs on one vendor's GPUs only."""
    resources = target.resources
    if not resources.gpus:
        return None
    vendor = "nvidia" if target.variant is Variant.CUDA else "amd"
    name, memory = gpu_names.dstack(resources.gpu_type) if resources.gpu_type else (None, None)
    if resources.gpu_memory:
        memory = machine.gigabyte_text(resources.gpu_memory)
    return ":".join(part for part in (vendor, name, memory, str(resources.gpus)) if part)


def _resources(target: Target) -> dict[str, Any]:
    resources = target.resources
    memory = machine.memory_gibibytes(resources.memory, resources.cpus, resources.gpus)
    out: dict[str, Any] = {}
    # Machines come in fixed sizes: an exact number would fit almost none.
    if resources.cpus:
        out["cpu"] = f"{resources.cpus}.."
    if memory:
        out["memory"] = f"{memory}GB.."
    gpu = _gpu(target)
    if gpu:
        out["gpu"] = gpu
    if resources.shm:
        out["shm_size"] = machine.gigabyte_text(resources.shm)
    if resources.disk:
        out["disk"] = f"{machine.gibibytes(resources.disk)}GB.."
    return out


def _mapping(local: str, place: str) -> Any:
    """One entry of ``files``; the short form has no way to write a colon in a path."""
    if ":" in local or ":" in place:
        return {"local_path": local, "path": place}
    return f"{local}:{place}"


def _place(target: Target) -> str | None:
    """Where the user's code goes; None when there is none."""
    return None if target.code is None else target.code.to or FOLDER


def _files(target: Target, manifest: Manifest) -> list[Any]:
    out = [_mapping("boot.sh", SCRIPT)]
    folder, place = machine.code_folder(target, manifest.source), _place(target)
    if folder is not None and place is not None:
        out.append(_mapping(folder, place))
    return out


def _repos(target: Target) -> list[dict[str, str]]:
    code, place = target.code, _place(target)
    if code is None or code.git is None or place is None:
        return []
    revision = {}
    if code.ref:
        revision = {"hash" if re.fullmatch("[0-9a-f]{40}", code.ref) else "branch": code.ref}
    return [{"url": code.git, **revision, "path": place}]


def _volume(mount: Mount) -> Any:
    """One entry of ``volumes``; the short form has no way to write a colon in a path."""
    name = dstack_notes.volume(mount.source)
    if name and (":" in name or ":" in mount.place):
        return {"instance_path" if name.startswith("/") else "name": name, "path": mount.place}
    return f"{name}:{mount.place}" if name else None


def _env(target: Target) -> list[str]:
    """Required secrets by name. Optional ones are handed over by ``--env``: a name that is not set is refused."""
    return [secret.name for secret in target.secrets if secret.required and secret.file is None]


def _raw(target: Target) -> Mapping[str, Any]:
    """Return ``raw`` with its variables as a list where they stand beside names without a value."""
    env = target.raw.get("env")
    if not isinstance(env, Mapping) or not _env(target):
        return target.raw
    return {**target.raw, "env": [f"{name}={value}" for name, value in env.items()]}


def _arguments(target: Target) -> str:
    """What follows ``--``, as dstack quotes it; a cluster that waits for drivers has no use for it."""
    return " ${{ run.args }}" if target.driver.submit_from == "head" else ""


def task(target: Target, manifest: Manifest) -> dict[str, Any]:
    """Return the task as plain data."""
    return document.merge(_base(target, manifest), _raw(target))


def _base(target: Target, manifest: Manifest) -> dict[str, Any]:
    code = target.code
    base = {
        "type": "task",
        "name": target.workload,
        "nodes": target.resources.nodes,
        "image": machine.image(target),
        "shell": "bash",
        "working_dir": FOLDER if code is not None and code.to is None else None,
        "env": _env(target),
        "files": _files(target, manifest),
        "repos": _repos(target),
        "commands": [f"bash {SCRIPT}{_arguments(target)}"],
        "ports": list(target.expose),
        "volumes": [volume for mount in target.mounts if (volume := _volume(mount))],
        "resources": _resources(target),
        "stop_criteria": "master-done" if target.resources.nodes > 1 else None,
    }
    return document.without_empty(base)


def fleet(target: Target) -> dict[str, Any] | None:
    """Return a fleet that can hold the task; None when ``raw`` names fleets or instances of the user's own."""
    if target.raw.get("fleets") or target.raw.get("instances"):
        return None
    nodes = target.resources.nodes
    return document.without_empty(
        {
            "type": "fleet",
            "name": fleet_name(target),
            "nodes": f"0..{nodes}",
            "placement": "cluster" if nodes > 1 else None,
            "idle_duration": target.raw.get("idle_duration", "30m"),
            **{key: target.raw[key] for key in _PLACES if key in target.raw},
            "resources": {key: value for key, value in _resources(target).items() if key != "shm_size"},
        }
    )


def fleet_name(target: Target) -> str:
    """Return the fleet's name, within dstack's 41 characters."""
    return f"{target.workload[:35].rstrip('-')}-fleet"


def _head_ip(target: Target) -> str:
    # Where nodes have no private network dstack leaves the address empty; one node needs none.
    return "HEAD_IP=${DSTACK_MASTER_NODE_IP" + (":-127.0.0.1}" if target.resources.nodes == 1 else "}")


def _enter(target: Target) -> tuple[str, ...]:
    return (
        "NODE_RANK=${DSTACK_NODE_RANK} NODE_NAME=rank-${DSTACK_NODE_RANK}",
        "JOB_ID=${DSTACK_RUN_ID} ATTEMPT=0",
        _head_ip(target),
        *machine.ready(target, f"{target.ray.temp_dir.rstrip('/')}/mngen"),
        '((DSTACK_NODES_NUM == NODES)) || fail 75 "dstack gave ${DSTACK_NODES_NUM} nodes, the manifest says ${NODES}"',
    )


def _reach(target: Target) -> Raw:
    """A run's name is a name for ssh while `dstack attach` runs, which forwards the ports of ``expose`` itself."""
    if dashboard_port(target) in target.expose:
        return Raw(f"dstack attach {target.workload}")
    return tunnel(target, target.workload)


def plan(target: Target, manifest: Manifest) -> tuple[PlannedFile, ...]:
    """task.dstack.yml, fleet.dstack.yml and boot.sh."""
    runs = machine.in_image(target)
    reach = _reach(target)
    role = boot.Role(enter=_enter(runs), modules=("node_by_socket",), ranks=together(target), reach=reach)
    who = "dstack runs this file on every node."
    script = boot.boot(runs, role, boot.explanation(runs, manifest, who, role.ranks))
    about = machine.about(target, manifest, f"{header.cluster(target)}, as a task for dstack")
    comments = {**_TASK_COMMENTS}
    if _arguments(target):
        comments["commands"] += _ARGUMENTS
    files = [document.described(target, "task.dstack.yml", about, document.body(task(target, manifest), comments))]
    machines = fleet(target)
    if machines is not None:
        about = machine.about(target, manifest, "machines for the task beside this file, for dstack")
        content = document.body(machines, _FLEET_COMMENTS)
        files.append(document.described(target, "fleet.dstack.yml", about, content))
    return (*files, boot.file(runs, "boot.sh", script, role.ranks), *ray_job.outside(target, manifest, reach))


def usage(target: Target, manifest: Manifest) -> tuple[tuple[str, str], ...]:
    """Commands for the README."""
    folder = header.folder(manifest, target)
    names = [s.name for s in target.secrets if s.file is None]
    handed = "".join(f" ${{{s.name}:+--env={s.name}}}" for s in target.secrets if not s.required and s.file is None)
    name, port = target.workload, target.ray.ports.get("dashboard", 8265)
    lines = [typed(f"Set {', '.join(names)} in this shell", names, target)] if names else []
    if fleet(target) is not None:
        lines.append(("Declare the machines, once", f"dstack apply -f {folder}/fleet.dstack.yml"))
    run = f"dstack apply -f {folder}/task.dstack.yml{handed}"
    lines.append(("Run; arguments after ` -- ` go to the driver" if _arguments(target) else "Run", run))
    lines.append(("Follow", f"dstack logs {name}"))
    forwards = ", which also forwards the ports of `expose`" if target.expose else ""
    lines.append((f"Attach, in a shell of its own{forwards}", f"dstack attach {name}"))
    lines.append(("While attached, open a shell on the head", f"ssh {name}"))
    if target.ray.dashboard.enabled and port not in target.expose:
        tunnel = f"ssh -N -L {port}:localhost:{port} {name}"
        lines.append((f"While attached, reach the dashboard on http://localhost:{port}", tunnel))
    lines += ray_job.usage(target, "submit-job.sh", folder)
    stays = "; until then the machines stay, and cost" if target.driver.submit_from == "outside" else ""
    lines.append((f"Stop the run{stays}", f"dstack stop {name}"))
    return tuple(lines)
