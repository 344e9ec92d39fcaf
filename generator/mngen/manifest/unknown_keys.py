"""Keys that the manifest does not have, and what their author probably meant."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.field_index import Field, fields, find
from mngen.manifest.nearest import hint
from mngen.manifest.node import Node, at
from mngen.manifest.said import where, word
from mngen.manifest.validator import Mismatch

ALIASES = {
    "command": "driver.command",
    "commands": "driver.command",
    "run": "driver.command",
    "entrypoint": "driver.command",
    "args": "driver.args",
    "num_nodes": "resources.nodes",
    "gpus_per_node": "resources.gpus",
    "accelerators": "resources.gpus",
    "cpus_per_task": "resources.cpus",
    "mem": "resources.memory",
    "shm_size": "resources.shm",
    "disk_size": "resources.disk",
    "environment": "env",
    "envs": "env",
    "volumes": "mounts",
    "binds": "mounts",
    "file_mounts": "mounts",
    "module": "host_setup",
    "modules": "host_setup",
    "sbatch": "slurm",
    "working_dir": "workdir",
    "sidecars": "services",
    "bind": "mounts",
    "walltime": "slurm.time",
    "time_limit": "slurm.time",
    "queue": "slurm.partition",
    "gres": "slurm.gpu_request",
    "interface": "network.interface",
}
"""Words of sbatch, SkyPilot, dstack and compose files, each with the field that means it here."""

_INSTEAD = {
    **dict.fromkeys(
        ("ntasks", "ntasks_per_node", "tasks_per_node"),
        "leave it out: one task on each node starts Ray, which starts the workers",
    ),
    "mem_per_cpu": "write `resources: {memory: {per_cpu: SIZE}}`",
    "mem_per_gpu": "write `resources: {memory: {per_gpu: SIZE}}`",
    **dict.fromkeys(("venv", "conda"), "enter it in `setup`, such as `setup: source /path/to/venv/bin/activate`"),
}
"""What to do in the place of a word that no field stands for."""

_BESIDE = {
    "prepare": {"command": "run", "cmd": "run", "script": "run"},
    "mounts": {"src": "source", "from": "source", "dst": "target", "dest": "target", "to": "target", "path": "target"},
    "secrets": {"path": "file", "from_file": "file"},
    "gpu_request": {"kind": "form"},
    "services": {"ports": "port"},
}
"""Words for a key beside the one that is meant, by the map or list around it."""

_GENERAL = frozenset({"kind", "path", "command", "run", "name", "source", "target", "file", "type", "value", "gpu"})
"""Keys of many maps: that one exists elsewhere tells nothing."""


def complaints(mismatch: Mismatch, node: Node) -> Iterator[Diagnostic]:
    """Return one diagnostic for each unknown key of a map."""
    known, path = list(mismatch.schema.get("properties", ())), mismatch.path
    for key in mismatch.instance:
        if key in known:
            continue
        child = at(node, (key,))
        place = f"`{where(path)}`" if path else where(path) if "targets" in known else _fields_of(mismatch, child)
        message = f"unknown key `{word(key)}` in {place}"
        in_target = _is_target(path) and "targets" not in known
        words = _misplaced(key, mismatch.instance, in_target=in_target) if _is_target(path) else None
        words = words or _a_target(child, path, known) or _meant(key, known, path) or hint(key, known, _explain(path))
        yield Diagnostic("MN101", Severity.ERROR, message, child.key_span or child.span, words)


def _fields_of(mismatch: Mismatch, node: Node) -> str:
    """Return what a tree of a target's own fields is: a site file, or all layers of a target merged."""
    kind = mismatch.instance.get("kind")
    return "a site file" if node.layer == "site" or not isinstance(kind, str) else f"a target of kind {kind}"


def _a_target(node: Node, path: tuple[str | int, ...], known: list[str]) -> str | None:
    """Return a hint when a target stands at the top level."""
    is_target = not path and "targets" in known and isinstance(node.value, dict) and "kind" in node.value
    return "a target stands below `targets`" if is_target else None


def _misplaced(key: str, around: dict[str, object], *, in_target: bool) -> str | None:
    """Return a hint when the key is a field of the top level in a target, the reverse, or of another kind of target."""
    field = fields().get(key)
    if field is None:
        return None
    if not in_target:
        return f"`{key}` belongs in a target"
    if not field.in_target:
        return f"`{key}` belongs at the top level of the manifest"
    kind = around.get("kind")
    return f"a {kind} target does not take it; these kinds do: {', '.join(field.kinds)}" if kind else None


def _meant(key: str, known: list[str], path: tuple[str | int, ...]) -> str | None:
    """Return a hint when the key has another name here, or is at home in another place."""
    normal = key.replace("-", "_")
    if normal in known:
        return None
    if normal in _INSTEAD and (_is_target(path) or path[-1] in {"slurm", "resources"}):
        return _INSTEAD[normal]
    beside = next((_BESIDE[step] for step in reversed(path[-2:]) if isinstance(step, str) and step in _BESIDE), {})
    if beside.get(normal) in known:
        return f"did you mean `{beside[normal]}`?"
    here = _canonical(path)
    homes = [ALIASES[normal]] if normal in ALIASES else [field.path for field in _by_name(normal)]
    homes = [home for home in homes if "[" not in home and "NAME" not in home]
    for home in homes:
        parent, _, name = home.rpartition(".")
        if parent == here and name in known:
            return f"did you mean `{name}`?"
    if path and normal in _GENERAL and not _is_target(path):
        return None
    return "it belongs at " + " or ".join(f"`{home}`" for home in homes) if 1 <= len(homes) <= 3 else None


def _by_name(name: str) -> list[Field]:
    return [field for field in fields().values() if field.name == name]


def _canonical(path: tuple[str | int, ...]) -> str:
    field = find(".".join(str(step) for step in path if isinstance(step, str)))
    return field.path if field else ""


def _is_target(path: tuple[str | int, ...]) -> bool:
    return not path or (len(path) == 2 and path[0] == "targets")


def _explain(path: tuple[str | int, ...]) -> str:
    field = "" if _is_target(path) else _canonical(path)  # the overview has a target's keys as well
    return f"`mngen explain {field}` lists the keys" if field else "`mngen explain` lists the keys"
