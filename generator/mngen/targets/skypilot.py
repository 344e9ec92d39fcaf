"""SkyPilot: a task file and the boot script that it carries.

The script is a file of its own because SkyPilot runs ``run`` in an interactive bash without errexit
and takes the last command's status (``sky/skylet/log_lib.py``, ``make_task_bash_script``).
"""

from __future__ import annotations

from typing import Any

from mngen.diagnostics import Diagnostic, Severity
from mngen.launch import header
from mngen.manifest.model import Manifest, Target
from mngen.plan import PlannedFile
from mngen.targets import boot, document, machine

kind = "skypilot"
api = 1

SCRIPT = "~/mngen-boot.sh"


def _note(target: Target, path: str, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic("MN250", Severity.NOTE, f"`{path}` of target `{target.name}`: {message}", target.span(path), hint)


def notes(target: Target, manifest: Manifest) -> list[Diagnostic]:
    """Say which fields have no effect on SkyPilot."""
    del manifest
    out = []
    for index, mount in enumerate(target.mounts):
        if machine.home_path(mount.source) is None:
            out.append(
                _note(
                    target,
                    f"mounts.{index}.source",
                    "a machine of SkyPilot's has no such variable; the mount is left out",
                )
            )
    return out


def _resources(target: Target) -> dict[str, Any]:
    resources = target.resources
    gpu, memory = machine.gpu_name(target), machine.memory_gigabytes(resources.memory, resources.cpus, resources.gpus)
    image = machine.image(target)
    out: dict[str, Any] = {}
    if resources.gpus and gpu:
        out["accelerators"] = f"{gpu}:{resources.gpus}"
    if resources.cpus:
        out["cpus"] = f"{resources.cpus}+"
    if memory:
        out["memory"] = f"{memory}+" if resources.memory and resources.memory.at_least else memory
    if resources.disk:
        out["disk_size"] = int(float(machine.gigabytes(resources.disk)))
    if image:
        out["image_id"] = f"docker:{image}"
    if target.expose:
        out["ports"] = list(target.expose)
    if resources.shm:
        out["config"] = {"docker": {"run_options": [f"--shm-size={resources.shm}"]}}
    return out


def _file_mounts(target: Target, manifest: Manifest) -> dict[str, str]:
    out = {SCRIPT: "boot.sh"}
    for mount in target.mounts:
        source = machine.home_path(mount.source)
        if source is not None:
            out[mount.target] = (
                source if source.startswith(("/", "~")) or "://" in source else f"{manifest.source}/{source}"
            )
    if target.code and target.code.path is not None and target.code.to:
        out[target.code.to] = _folder(target, manifest)
    return out


def _folder(target: Target, manifest: Manifest) -> str:
    path = (target.code.path or "." if target.code else ".").removeprefix("./").rstrip("/")
    return manifest.source if path in {"", "."} else f"{manifest.source}/{path}"


def _workdir(target: Target, manifest: Manifest) -> Any:
    code = target.code
    if code is None:
        return None
    if code.git is not None:
        return {"url": code.git, **({"ref": code.ref} if code.ref else {})}
    return None if code.to else _folder(target, manifest)


def task(target: Target, manifest: Manifest) -> dict[str, Any]:
    """The task as plain data."""
    base = {
        "name": target.workload,
        "num_nodes": target.resources.nodes,
        "resources": _resources(target),
        "workdir": _workdir(target, manifest),
        "file_mounts": _file_mounts(target, manifest),
        "secrets": {secret.name: None for secret in target.secrets if secret.required and secret.file is None},
        "run": f"bash {SCRIPT}",
    }
    return document.merge(base, target.raw)


def _enter(target: Target) -> tuple[str, ...]:
    folder = f"{target.ray.temp_dir.rstrip('/')}/mngen-$(id -u)"
    return (
        "NODE_RANK=${SKYPILOT_NODE_RANK} NODE_NAME=rank-${SKYPILOT_NODE_RANK}",
        "JOB_ID=${SKYPILOT_TASK_ID} ATTEMPT=0",
        f"JOB_DIR={folder} LOGS={folder}/log",
        'mapfile -t addresses <<<"${SKYPILOT_NODE_IPS}"',
        '((${#addresses[@]} == NODES)) || fail 75 "SkyPilot gave ${#addresses[@]} nodes, the manifest says ${NODES}"',
        "HEAD_IP=${addresses[0]}",
        "CLUSTER_NODES=$(printf 'rank-%s ' $(seq 0 $((NODES - 1))))",
        *boot.ready(target),
    )


def plan(target: Target, manifest: Manifest) -> tuple[PlannedFile, ...]:
    """task.sky.yaml and boot.sh."""
    head = header.comment(header.ownership(manifest, target))
    role = boot.Role(enter=_enter(target), modules=("node_by_socket",), workers=target.resources.nodes > 1)
    script = boot.boot(target, role, boot.explanation(target, manifest, "SkyPilot runs this file on every node."))
    return (
        document.file(target, "task.sky.yaml", document.text(head, task(target, manifest))),
        boot.file(target, "boot.sh", script),
    )


def usage(target: Target, manifest: Manifest) -> tuple[tuple[str, str], ...]:
    """Commands for the README."""
    del manifest
    secrets = "".join(f" --secret {s.name}" for s in target.secrets if s.file is None)
    name = target.workload
    return (
        (
            "Launch, from this target's folder",
            f"cd {target.name} && sky launch --cluster {name}{secrets} task.sky.yaml",
        ),
        ("Follow", f"sky logs {name}"),
        ("Reach the dashboard on localhost", f"ssh -L 8265:localhost:8265 {name}"),
        ("Stop the run, then the machines", f"sky cancel {name} --all && sky down {name}"),
    )
