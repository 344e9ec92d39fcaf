"""``raw`` of SkyPilot and dstack against the typed fields that write the same keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.model import Target

_Owner = tuple[str, Callable[[Target], bool]]


def _always(_: Target) -> bool:
    return True


def _gpus(target: Target) -> bool:
    return target.resources.gpus > 0


def _has_code(target: Target) -> bool:
    return target.code is not None


_SKYPILOT: Mapping[str, _Owner] = {
    "name": ("name", _always),
    "num_nodes": ("resources.nodes", _always),
    "run": ("driver", _always),
    "workdir": ("code", _has_code),
    "resources.accelerators": ("resources.gpus", _gpus),
    "resources.cpus": ("resources.cpus", lambda t: t.resources.cpus is not None),
    "resources.memory": ("resources.memory", lambda t: t.resources.memory is not None),
    "resources.disk_size": ("resources.disk", lambda t: t.resources.disk is not None),
    "resources.ports": ("expose", lambda t: bool(t.expose)),
    "resources.image_id": ("image", lambda t: t.image is not None or t.built_image is not None),
}
_DSTACK: Mapping[str, _Owner] = {
    "type": ("kind", _always),
    "name": ("name", _always),
    "nodes": ("resources.nodes", _always),
    "groups": ("resources.nodes", _always),
    "commands": ("driver", _always),
    "entrypoint": ("driver", _always),
    "shell": ("driver", _always),
    "python": ("image", lambda t: t.image is not None or t.built_image is not None),
    "image": ("image", lambda t: t.image is not None or t.built_image is not None),
    "ports": ("expose", lambda t: bool(t.expose)),
    "working_dir": ("workdir", lambda t: t.workdir is not None),
    "resources.gpu": ("resources.gpus", _gpus),
    "resources.cpu": ("resources.cpus", lambda t: t.resources.cpus is not None),
    "resources.memory": ("resources.memory", lambda t: t.resources.memory is not None),
    "resources.shm_size": ("resources.shm", lambda t: t.resources.shm is not None),
    "resources.disk": ("resources.disk", lambda t: t.resources.disk is not None),
}
_GPUS = {"skypilot": "resources.accelerators", "dstack": "resources.gpu"}
_MAPS = {"skypilot": {"envs": "env", "secrets": "secrets"}, "dstack": {"env": "env"}}


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse raw keys that a typed field writes, and raw variables that env or secrets has."""
    table = {"skypilot": _SKYPILOT, "dstack": _DSTACK}.get(target.kind)
    if table is None:
        return
    for path, (owner, sets) in table.items():
        if _at(target.raw, path) is not None and sets(target):
            yield _contradiction(target, f"raw.{path}", owner)
    asked = _GPUS[target.kind]
    if not target.resources.gpus and _at(target.raw, asked) is not None:
        message = f"raw.{asked} asks for GPUs, and resources.gpus does not: Ray is started without any"
        hint = "write resources: {gpus: …, gpu_type: …} in its place"
        yield warning(target, "MN294", f"raw.{asked}", message, hint=hint)
    own = {"env": {name for name, _ in target.env}, "secrets": {secret.name for secret in target.secrets}}
    for key, owner in _MAPS[target.kind].items():
        for name in _names(target.raw.get(key)):
            for section in (owner, "secrets"):
                if name in own[section]:
                    yield _contradiction(target, f"raw.{key}.{name}", f"{section}.{name}")
                    break


def _at(raw: Mapping[str, Any], path: str) -> Any:
    value: Any = raw
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _names(block: Any) -> Iterator[str]:
    if isinstance(block, Mapping):
        yield from (str(name) for name in block)
    elif isinstance(block, list | tuple):
        yield from (str(item).partition("=")[0] for item in block)


def _contradiction(target: Target, field: str, owner: str) -> Diagnostic:
    return finding(
        target,
        "MN294",
        field,
        f"{field} and {owner} write the same key of the generated file",
        hint=f"keep {owner}, which the rest of the job follows, and remove {field}",
        other=(owner,),
    )
