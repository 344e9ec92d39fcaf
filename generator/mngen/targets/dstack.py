"""dstack: a task, the fleet that it needs, and the boot script that it carries.

The script is a file of its own because dstack joins ``commands`` with ``&&`` and runs them in an
interactive shell, where errexit is off inside blocks and a comment swallows what follows it.
"""

from __future__ import annotations

from typing import Any

from mngen.diagnostics import Diagnostic, Severity
from mngen.launch import header
from mngen.manifest.model import Manifest, Target, Variant
from mngen.plan import PlannedFile
from mngen.targets import boot, document, machine

kind = "dstack"
api = 1

SCRIPT = "/mngen/boot.sh"


def _note(target: Target, path: str, message: str) -> Diagnostic:
    return Diagnostic("MN250", Severity.NOTE, f"`{path}` of target `{target.name}`: {message}", target.span(path))


def notes(target: Target, manifest: Manifest) -> list[Diagnostic]:
    """Say which fields have no effect on dstack."""
    del manifest
    return [
        _note(target, f"mounts.{index}.source", "dstack mounts absolute paths and named volumes; the mount is left out")
        for index, mount in enumerate(target.mounts)
        if mount.source.literal is None
    ]


def _gpu(target: Target) -> str | None:
    resources = target.resources
    if not resources.gpus:
        return None
    vendor = "nvidia" if target.variant is Variant.CUDA else "amd"
    name = machine.gpu_name(target)
    parts = [vendor if name else None, name, resources.gpu_memory, str(resources.gpus)]
    return ":".join(part for part in parts if part)


def _resources(target: Target) -> dict[str, Any]:
    resources = target.resources
    memory = machine.memory_gigabytes(resources.memory, resources.cpus, resources.gpus)
    out: dict[str, Any] = {}
    if resources.cpus:
        out["cpu"] = f"{resources.cpus}.."
    if memory:
        out["memory"] = f"{memory}GB.." if resources.memory and resources.memory.at_least else f"{memory}GB"
    gpu = _gpu(target)
    if gpu:
        out["gpu"] = gpu
    if resources.shm:
        out["shm_size"] = f"{machine.gigabytes(resources.shm)}GB"
    if resources.disk:
        out["disk"] = f"{machine.gigabytes(resources.disk)}GB.."
    return out


def _files(target: Target, manifest: Manifest) -> list[str]:
    out = [f"boot.sh:{SCRIPT}"]
    code = target.code
    if code is not None and code.path is not None:
        path = code.path.removeprefix("./").rstrip("/")
        folder = manifest.source if path in {"", "."} else f"{manifest.source}/{path}"
        out.append(f"{folder}:{code.to or '/workflow'}")
    return out


def _repos(target: Target) -> list[dict[str, str]]:
    code = target.code
    if code is None or code.git is None:
        return []
    return [{"url": code.git, **({"hash": code.ref} if code.ref else {}), **({"path": code.to} if code.to else {})}]


def task(target: Target, manifest: Manifest) -> dict[str, Any]:
    """The task as plain data."""
    volumes = [f"{m.source.literal}:{m.target}" for m in target.mounts if m.source.literal is not None]
    base = {
        "type": "task",
        "name": target.workload,
        "nodes": target.resources.nodes,
        "image": machine.image(target),
        "shell": "bash",
        "env": [secret.name for secret in target.secrets if secret.required and secret.file is None],
        "files": _files(target, manifest),
        "repos": _repos(target),
        "commands": [f"bash {SCRIPT}"],
        "ports": list(target.expose),
        "volumes": volumes,
        "resources": _resources(target),
        # The head ends last with the driver's status; waiting for all would turn its workers' end into a race.
        "stop_criteria": "master-done" if target.resources.nodes > 1 else None,
    }
    return document.merge(base, target.raw)


def fleet(target: Target) -> dict[str, Any]:
    """A fleet that can hold the task: several nodes run only where ``placement`` is ``cluster``."""
    return {
        "type": "fleet",
        "name": f"{target.workload}-fleet",
        "nodes": target.resources.nodes,
        "placement": "cluster" if target.resources.nodes > 1 else None,
        "resources": {key: value for key, value in _resources(target).items() if key != "shm_size"},
    }


def _enter(target: Target) -> tuple[str, ...]:
    folder = target.ray.temp_dir.rstrip("/") + "/mngen"
    return (
        "NODE_RANK=${DSTACK_NODE_RANK} NODE_NAME=rank-${DSTACK_NODE_RANK}",
        "JOB_ID=${DSTACK_RUN_ID:-dstack} ATTEMPT=0",
        f"JOB_DIR={folder} LOGS={folder}/log",
        '((DSTACK_NODES_NUM == NODES)) || fail 75 "dstack gave ${DSTACK_NODES_NUM} nodes, the manifest says ${NODES}"',
        "HEAD_IP=${DSTACK_MASTER_NODE_IP}",
        "CLUSTER_NODES=$(printf 'rank-%s ' $(seq 0 $((NODES - 1))))",
        *boot.ready(target),
    )


def plan(target: Target, manifest: Manifest) -> tuple[PlannedFile, ...]:
    """task.dstack.yml, fleet.dstack.yml and boot.sh."""
    head = header.comment(header.ownership(manifest, target))
    role = boot.Role(enter=_enter(target), modules=("node_by_socket",), workers=target.resources.nodes > 1)
    script = boot.boot(target, role, boot.explanation(target, manifest, "dstack runs this file on every node."))
    return (
        document.file(target, "task.dstack.yml", document.text(head, task(target, manifest))),
        document.file(target, "fleet.dstack.yml", document.text(head, fleet(target))),
        boot.file(target, "boot.sh", script),
    )


def usage(target: Target, manifest: Manifest) -> tuple[tuple[str, str], ...]:
    """Commands for the README."""
    del manifest
    secrets = [s.name for s in target.secrets if s.required and s.file is None]
    lines = [("Set in this shell", f"export {' '.join(secrets)}")] if secrets else []
    name = target.workload
    return (
        *lines,
        ("Make the fleet once", f"dstack apply -f {target.name}/fleet.dstack.yml"),
        ("Run", f"dstack apply -f {target.name}/task.dstack.yml"),
        ("Follow", f"dstack logs {name}"),
        ("Stop", f"dstack stop {name}"),
    )
