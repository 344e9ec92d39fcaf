"""Every example of the schema inside the smallest manifest that can hold it.

``mngen explain`` shows them, and tests validate and render each one, so an example in the schema cannot go stale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from msgspec import Struct

from mngen.manifest.definitions import definition, resolved
from mngen.manifest.field_index import Field, fields

_MINIMAL: dict[str, Any] = {
    "apiVersion": "mngen/v1",
    "name": "example",
    "resources": {"nodes": 2, "gpus": 8},
    "driver": {"command": ["python3", "train.py"]},
    "targets": {},
}
_IN_DOCKER = {"runtime": "docker", "image": {"ref": "registry.example.org/rl/verl:0.6"}}
_IN_APPTAINER = {"runtime": "apptainer", "image": {"sif": "/images/verl.sif"}}
_DESCRIBED = {
    "repository": "registry.example.org/rl/verl",
    "variants": {"cuda": {"tag": "0.6-cuda", "base": "nvidia/cuda:12.8.1-devel-ubuntu24.04"}},
}
_STAGED = {**_DESCRIBED, "stages": [{"name": "tools", "base": "debian:12.12-slim"}]}
_SERVICE = {"services": {"retriever": {"command": ["bash", "retrieval_launch.sh"], "port": "auto"}}}

_COMPANY: Mapping[str, Mapping[str, Any]] = {
    "code": _IN_APPTAINER,
    "container": _IN_APPTAINER,
    "container.gpu": {"runtime": "podman", "image": _IN_DOCKER["image"]},
    "container.prefix": {"runtime": "prefix", "image": _IN_DOCKER["image"]},
    "container.pull": _IN_DOCKER,
    "container.user": _IN_DOCKER,
    "driver.from": {"driver": {"submit": "ray-job"}, "secrets": {"RAY_AUTH_TOKEN": {}}},
    "driver.runtime_env": {"driver": {"submit": "ray-job"}},
    "driver.wait": {"driver": {"submit": "ray-job", "from": "outside"}, "secrets": {"RAY_AUTH_TOKEN": {}}},
    "endpoint": _SERVICE,
    "expose": {"kind": "skypilot", "image": _IN_DOCKER["image"], "resources": {"gpu_type": "h100"}},
    "image.*": {"runtime": "docker", "image": _DESCRIBED},
    "image.files": {"runtime": "docker", "image": _STAGED},
    "image.variants.cuda.files": {"runtime": "docker", "image": _STAGED},
    "image.variants.rocm.files": {"runtime": "docker", "image": _STAGED},
    "image.ref": {"runtime": "docker"},
    "image.sif": {"runtime": "apptainer"},
    "image.sqsh": {"runtime": "pyxis"},
    "image": {"runtime": "docker"},
    "mounts": _IN_APPTAINER,
    "on_time_limit": {"slurm": {"time": "4:00:00"}},
    "ray.dashboard.bind": {"ray": {"version": "2.52.1"}},
    "ray.ports.worker_max": {"ray": {"ports": {"worker_min": 21000}}},
    "ray.ports.worker_min": {"ray": {"ports": {"worker_max": 21999}}},
    "resources.disk": {"kind": "skypilot", "image": _IN_DOCKER["image"], "resources": {"gpu_type": "h100"}},
    "resources.gpu_memory": {"kind": "dstack", "image": _IN_DOCKER["image"]},
    "resources.shm": _IN_DOCKER,
    "runtime": {"image": _IN_DOCKER["image"], "container": {"prefix": ["shifter"]}},
    "slurm.no_kill": {"on_node_loss": "continue"},
}
"""What else a target must have for a field, or the fields below it, to make sense there; ``.*`` is only those below."""


class Example(Struct, frozen=True):
    """One example of a field, and a manifest around it as plain data."""

    path: str
    value: Any
    manifest: dict[str, Any]


def examples() -> Iterator[Example]:
    """Yield every example of every field."""
    for field in fields().values():
        for value in field.examples:
            yield Example(field.path, value, in_manifest(field, value))


def in_manifest(field: Field, value: Any) -> dict[str, Any]:
    """Return the smallest manifest in which a field has a value; the target is called ``example``."""
    manifest = deepcopy(_MINIMAL)
    target = {"kind": field.kinds[0], **deepcopy(_company(field.path))}
    inside = _around(field, value)
    if field.in_target:
        _lay(target, inside)
    manifest["targets"]["example"] = target
    if not field.in_target:
        _lay(manifest, inside)
    return manifest


def _company(path: str) -> Mapping[str, Any]:
    if path in _COMPANY:
        return _COMPANY[path]
    while path:
        path = path.rpartition(".")[0].removesuffix("[]")
        for name in (f"{path}.*", path):
            if name in _COMPANY:
                return _COMPANY[name]
    return {}


def _around(field: Field, value: Any) -> dict[str, Any]:
    """Wrap a value in the maps and lists that lead to it, with the siblings that it cannot be without."""
    parent, _, key = field.path.rpartition(".")
    if not parent:
        return {key: value}
    in_list = parent.endswith("[]")
    above = fields()[parent.removesuffix("[]")]
    if key == "NAME":
        return _around(above, {"example": value})
    shell = _shell(above, key, in_list=in_list)
    shell[key] = value
    return _around(above, [shell] if in_list else shell)


def _shell(above: Field, key: str, *, in_list: bool) -> dict[str, Any]:
    """Return the siblings of a key: none where it can stand alone, else those of an example of the map around it."""
    node = _definition(above)
    node = resolved(node["items"]) if in_list else node
    if not ({"required", "dependencies"} & node.keys() or above.path in {"endpoint", "services.NAME"}):
        return {}
    shown = [item for example in above.examples for item in (example if in_list else [example])]
    best = next((item for item in shown if key in item), shown[0])
    return deepcopy(dict(best))


def _definition(field: Field) -> dict[str, Any]:
    """Return a field's own schema."""
    node: dict[str, Any] = {"properties": {**definition("target-fields")["properties"], **_top()}}
    for step in field.path.replace("[]", ".[]").split("."):
        if step == "[]":
            node = resolved(node["items"])
        elif step == "NAME":
            node = resolved(node["additionalProperties"])
        else:
            node = resolved(node["properties"][step])
    return node


def _top() -> dict[str, Any]:
    found: dict[str, Any] = definition("manifest")["properties"]
    return found


def _lay(base: dict[str, Any], over: Mapping[str, Any]) -> None:
    """Lay one map over another, as layers of a manifest are."""
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            _lay(base[key], value)
        else:
            base[key] = deepcopy(value)
