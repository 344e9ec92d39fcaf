"""``raw`` of SkyPilot and dstack against the typed fields that write the same keys."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from mngen.diagnostics import Diagnostic
from mngen.manifest.cloud_names import RDMA, SCRIPTS
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.raw_variables import raw_variables
from mngen.manifest.model import Target

_Row: TypeAlias = tuple[str, str, Callable[[Target], bool]]
"""A key of the generated file, the field that writes it, and whether it does so for a target."""


def _always(_: Target) -> bool:
    return True


def _gpus(target: Target) -> bool:
    return target.resources.gpus > 0


def _has_code(target: Target) -> bool:
    return target.code is not None


def _has_image(target: Target) -> bool:
    return target.image is not None or target.built_image is not None


_SKYPILOT: tuple[_Row, ...] = (
    ("name", "name", _always),
    ("num_nodes", "resources.nodes", _always),
    ("run", "driver", _always),
    ("workdir", "code", _has_code),
    ("resources.accelerators", "resources.gpus", _gpus),
    ("resources.cpus", "resources.cpus", lambda t: t.resources.cpus is not None),
    ("resources.memory", "resources.memory", lambda t: t.resources.memory is not None),
    ("resources.disk_size", "resources.disk", lambda t: t.resources.disk is not None),
    ("resources.ports", "expose", lambda t: bool(t.expose)),
    ("resources.network_tier", "network.fabric", lambda t: t.network.fabric in RDMA),
    ("resources.job_recovery.max_restarts_on_errors", "retry", lambda t: t.retry is not None),
    ("resources.image_id", "image", _has_image),
)
_DSTACK: tuple[_Row, ...] = (
    ("type", "kind", _always),
    ("name", "name", _always),
    ("nodes", "resources.nodes", _always),
    ("groups", "resources.nodes", _always),
    ("commands", "driver", _always),
    ("entrypoint", "driver", _always),
    ("shell", "driver", _always),
    ("python", "image", _has_image),
    ("image", "image", _has_image),
    ("ports", "expose", lambda t: bool(t.expose)),
    ("working_dir", "workdir", lambda t: t.workdir is not None),
    ("working_dir", "code", lambda t: t.code is not None and t.code.to is None),
    ("stop_criteria", "resources.nodes", lambda t: t.resources.nodes > 1),
    ("resources.gpu", "resources.gpus", _gpus),
    ("resources.cpu", "resources.cpus", lambda t: t.resources.cpus is not None),
    ("resources.memory", "resources.memory", lambda t: t.resources.memory is not None),
    ("resources.shm_size", "resources.shm", lambda t: t.resources.shm is not None),
    ("resources.disk", "resources.disk", lambda t: t.resources.disk is not None),
)
_GPUS = {"skypilot": "resources.accelerators", "dstack": "resources.gpu"}
_PLACES = {"skypilot": ("file_mounts", "volumes"), "dstack": ("files", "volumes")}
"""Blocks that say what is at which path inside."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse raw keys that a typed field writes, raw variables that env or secrets has, and what mounts bring."""
    table = {"skypilot": _SKYPILOT, "dstack": _DSTACK}.get(target.kind)
    if table is None:
        return
    owners = {path: owner for path, owner, sets in reversed(table) if sets(target) and _has(target.raw, path)}
    for path, owner in owners.items():
        yield _contradiction(target, f"raw.{path}", owner)
    asked = _GPUS[target.kind]
    if not target.resources.gpus and _at(target.raw, asked) is not None:
        message = f"raw.{asked} asks for GPUs, and resources.gpus does not: Ray is started without any"
        hint = "write resources: {gpus: …, gpu_type: …} in its place"
        yield warning(target, "MN294", f"raw.{asked}", message, hint=hint)
    own = {secret.name: f"secrets.{secret.name}" for secret in target.secrets}
    own.update({name: f"env.{name}" for name, _ in target.env})
    for key, name in raw_variables(target):
        if name in own:
            yield _contradiction(target, f"raw.{key}.{name}", own[name])
    yield from _places(target)


def _places(target: Target) -> Iterator[Diagnostic]:
    """Refuse what raw puts where a mount, the code or the launch script is."""
    own = {SCRIPTS[target.kind]: "driver"}
    if target.code is not None and target.code.to is not None:
        own[posixpath.normpath(target.code.to)] = "code.to"
    own.update({posixpath.normpath(mount.place): f"mounts.{index}" for index, mount in enumerate(target.mounts)})
    for key in _PLACES[target.kind]:
        for part, place in _paths(target.raw.get(key)):
            owner = own.get(posixpath.normpath(place))
            if owner is not None:
                yield _contradiction(target, f"raw.{key}.{part}", owner)


def _has(raw: Any, path: str) -> bool:
    """Tell whether raw has a key, with or without a value: a key without one would take away what was written."""
    first, _, rest = path.partition(".")
    return isinstance(raw, Mapping) and first in raw and (not rest or _has(raw[first], rest))


def _at(raw: Mapping[str, Any], path: str) -> Any:
    value: Any = raw
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _paths(block: Any) -> Iterator[tuple[str, str]]:
    """Yield the paths inside that a block is about, with their keys: of a map, or of dstack's ``HERE:THERE``."""
    if isinstance(block, Mapping):
        yield from ((str(place), str(place)) for place in block)
    elif isinstance(block, list | tuple):
        for index, item in enumerate(block):
            place = item.get("path") if isinstance(item, Mapping) else str(item).rpartition(":")[2]
            yield str(index), str(place)


def _contradiction(target: Target, field: str, owner: str) -> Diagnostic:
    hint = f"keep {owner}, which the rest of the job follows, and remove {field}"
    if field == f"raw.{_GPUS['skypilot']}":
        # Each item of any_of is laid over the other keys: _override_resources in SkyPilot's sky/resources.py.
        item = f'{{accelerators: "A100-80GB:{target.resources.gpus}"}}'
        hint = f"keep {owner}, with gpu_type for one kind, or raw: {{resources: {{any_of: [{item}, …]}}}} for several"
    message = f"{field} and {owner} write the same key of the generated file"
    return finding(target, "MN294", field, message, hint=hint, other=(owner,))
