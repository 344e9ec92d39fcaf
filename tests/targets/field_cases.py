"""Each example of the schema as a manifest for each kind of target, with the field and without it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from mngen.manifest.definitions import KINDS, definition
from mngen.manifest.examples import in_manifest
from mngen.manifest.field_index import Field, fields

READY = {"ref": "registry.example.org/rl/verl:0.6"}
ROCM = {"tag": "0.6-rocm", "base": "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10_pytorch_release_2.9.1"}
RENTED = ("skypilot", "dstack")
_TOKEN = {"secrets": {"RAY_AUTH_TOKEN": {}}, "ray": {"version": "2.52.1"}}

# What a field needs beside it on rented machines, where the examples' own company is for a cluster's nodes.
_COMPANY: dict[str, dict[str, Any]] = {
    "logs.dir": {"logs": {"driver": "train.log"}},
    "resources.memory": {"resources": {"cpus": 8}},
    "ray.auth": _TOKEN,
    "ray.dashboard": _TOKEN,
    "variant": {"resources": {"gpu_type": "mi300x"}},
    "image.variants.rocm": {"resources": {"gpu_type": "mi300x"}},
}

# Ports that are clear of the fixed plan that machines without Slurm have.
_PORTS = (
    "gcs",
    "dashboard",
    "client",
    "agent",
    "agent_grpc",
    "node_manager",
    "object_manager",
    "runtime_env_agent",
    "metrics",
)
_VALUES = {f"ray.ports.{name}": 30001 + index for index, name in enumerate(_PORTS)} | {
    "ray.ports": {"gcs": 30001, "dashboard": 30002},
    "ray.ports.worker_min": 20500,
    "ray.ports.worker_max": 29000,
    # A token is what `auto` comes to where a secret has one.
    "ray.auth": "disabled",
    # What `auto` finds on nodes with podman is the example itself.
    "container.gpu": "none",
    # The schema shows defaults here.
    "ray.dashboard": {"enabled": False},
    "image.user.uid": 2000,
    "image.variants.cuda.user.uid": 2000,
    "image.variants.rocm.user.uid": 2000,
}


def cases() -> Iterator[tuple[Field, Any, str]]:
    """Yield every field with each of its examples and each kind of target; a default says nothing new."""
    for field in fields().values():
        for kind in KINDS:
            values = (
                [_VALUES[field.path]]
                if field.path in _VALUES and (kind != "slurm" or "ports" not in field.path)
                else field.examples
            )
            for value in values:
                if not _is_default(field, value):
                    yield field, value, kind


def _is_default(field: Field, value: Any) -> bool:
    if isinstance(value, dict) and value and field.children:
        known = fields()
        return all(
            f"{field.path}.{key}" in known and _is_default(known[f"{field.path}.{key}"], item)
            for key, item in value.items()
        )
    return field.default is not None and value == field.default


def manifest(field: Field, value: Any, kind: str) -> dict[str, Any] | None:
    """Return a manifest with one target of a kind in which the field holds; None where the schema has no place."""
    data = in_manifest(field, value)
    if field.path in {"targets", "kind"}:
        return data
    target = data["targets"]["example"]
    root = re.split(r"[.\[]", field.path)[0]
    if field.in_target and root not in definition(f"target-{kind}")["properties"]:
        if not field.top:
            return None
        data[root] = target.pop(root)
    _fit(target, field, kind)
    return data


def _fit(target: dict[str, Any], field: Field, kind: str) -> None:
    """Make the company of a field, which is that of its first kind, fit another kind."""
    allowed = definition(f"target-{kind}")["properties"]
    target["kind"] = kind
    for key in [key for key in target if key not in allowed]:
        del target[key]
    if field.path.startswith("image.variants.rocm"):
        target["variant"] = "rocm"
        variants = target["image"]["variants"]
        variants["rocm"] = {**ROCM, **variants["rocm"]}
    if kind == "manual" and field.path.startswith("ray."):
        for section, company in _TOKEN.items():
            _under(target, section, company)
    if kind not in RENTED:
        return
    if kind == "dstack" and field.path in {"mounts[].target", "mounts[].mode", "mounts[].shared"}:
        target["mounts"][0]["source"] = "/data"
    if not field.path.startswith("image"):
        target["image"] = dict(READY)
    if kind == "dstack" and field.path == "raw":
        target["raw"] = {"max_duration": "2d", "spot_policy": "auto"}
    path = field.path
    while path:
        for section, company in _COMPANY.get(path, {}).items():
            _under(target, section, company)
        path = path.rpartition(".")[0]
    if kind == "skypilot":
        _under(target, "resources", {"gpus": 8, "gpu_type": "h100"})


def _under(target: dict[str, Any], section: str, company: dict[str, Any]) -> None:
    """Lay company below what a target has."""
    target[section] = {**company, **target.get(section, {})}


def without(data: dict[str, Any], field: Field, *, everywhere: bool = False) -> dict[str, Any]:
    """Return a copy in which the field is absent from the target, or from the manifest's top too."""
    copy = deepcopy(data)
    steps = [step for step in field.path.replace("[]", ".[]").split(".") if step]
    gone = False
    for start in (copy["targets"].get("example", {}), copy):
        if not gone or everywhere:
            gone = _remove(start, steps) or gone
    assert gone, f"{field.path} is not in {data}"
    return copy


def _remove(node: Any, steps: list[str]) -> bool:
    """Remove what a path names, and whatever is empty then."""
    step = steps[0]
    key: Any = 0 if step == "[]" else next(iter(node), None) if step == "NAME" and isinstance(node, dict) else step
    if not node or (isinstance(node, dict) and key not in node):
        return False
    if len(steps) > 1:
        if not isinstance(node[key], dict | list) or not _remove(node[key], steps[1:]):
            return False
        if node[key]:
            return True
    del node[key]
    return True


def changed(data: dict[str, Any], field: Field, value: Any) -> dict[str, Any]:
    """Return a copy in which the field has another value; what it had must be the last of its path."""
    copy = deepcopy(data)
    steps = [step for step in field.path.replace("[]", ".[]").split(".") if step]
    for start in (copy["targets"].get("example", {}), copy):
        node: Any = start
        try:
            for step in steps[:-1]:
                node = node[0] if step == "[]" else node[next(iter(node))] if step == "NAME" else node[step]
        except (KeyError, StopIteration):
            continue
        if steps[-1] in node:
            node[steps[-1]] = value
            return copy
    raise AssertionError(f"{field.path} is not in {data}")
