"""Device lists in ``env``: at most one kind, the vendor's own, and as many ids as GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import capability, holds
from mngen.manifest.judging.finding import clause, finding, warning
from mngen.manifest.model import Target, Variant

LISTS = (
    "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "NVIDIA_VISIBLE_DEVICES",
)
_BY_PROCESS = frozenset(LISTS) - {"NVIDIA_VISIBLE_DEVICES"}
_WORDS = frozenset({"all", "none", "void", "nodevfiles", ""})  # what NVIDIA's runtime and Slurm write for no list
_MEND = "remove it: the job sets what the GPUs of its allocation need"


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse lists that compose, repeat, have the wrong length or belong to the other vendor."""
    found = {name: value.literal for name, value in target.env if name in LISTS}
    names = [name for name in found if name != "NVIDIA_VISIBLE_DEVICES"]
    if len(names) > 1:
        yield finding(
            target,
            "MN224",
            f"env.{names[0]}",
            f"env sets {' and '.join(names)} together; they are applied one on the other, so ids mean different GPUs",
            hint=_MEND,
            other=[f"env.{name}" for name in names[1:]],
        )
    for name, value in found.items():
        yield from _vendor(target, name)
        if value is not None:
            yield from _ids(target, name, value)
    if target.resources.gpus:
        yield from _services(target)
    yield from _switches(target)


def _vendor(target: Target, name: str) -> Iterator[Diagnostic]:
    field = f"env.{name}"
    if target.variant is Variant.ROCM and name in {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"}:
        yield finding(
            target,
            "MN225",
            field,
            f"env sets {name}, but variant is rocm; Ray 2.45 and newer stop on it (ray-project/ray#52701)",
            hint=_MEND,
            other=("variant",),
        )
    elif target.variant is Variant.CUDA and name in {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"}:
        message = f"env sets {name}, but variant is cuda, where nothing reads it"
        yield warning(
            target,
            "MN225",
            field,
            message,
            hint=_MEND,
            other=("variant",),
        )
    elif name == "ROCR_VISIBLE_DEVICES" and holds("ray-manages-hip-visible-devices", target.ray.version) is not False:
        yield finding(
            target,
            "MN225",
            field,
            f"env sets {name}: {clause(capability('ray-manages-hip-visible-devices').holds)}",
            hint=_MEND,
            other=("ray.version",),
        )


def _ids(target: Target, name: str, value: str) -> Iterator[Diagnostic]:
    if value.strip().lower() in _WORDS or target.resources.gpus == 0:
        return
    ids = [item.strip() for item in value.split(",")]
    field = f"env.{name}"
    if len(set(ids)) != len(ids):
        yield finding(target, "MN226", field, f"{field} names a GPU twice: {value}", hint=_MEND)
    elif len(ids) != target.resources.gpus:
        yield finding(
            target,
            "MN226",
            field,
            f"{field} has {len(ids)} ids ({value}), but resources.gpus is {target.resources.gpus}",
            hint=_MEND,
            other=("resources.gpus",),
        )
    elif target.kind == "slurm":
        yield warning(
            target,
            "MN226",
            field,
            f"{field} fixes GPUs {value} by number, whichever of the node's GPUs Slurm gives to the job",
            hint=_MEND,
        )


def _services(target: Target) -> Iterator[Diagnostic]:
    """Refuse a list of a service's own: `gpus` takes GPUs from Ray's end of the list, and these may be Ray's."""
    for service in target.services:
        for name, value in service.env:
            chosen = value.literal is None or value.literal.strip().lower() not in _WORDS
            if name in _BY_PROCESS and chosen and not service.shares_gpus:
                field = f"services.{service.name}.env.{name}"
                given = f"services.{service.name}.gpus"
                message = (
                    f"{field} chooses GPUs by itself, beside {given} ({service.gpus}): Ray may give them to others"
                )
                hint = f"remove it, and write {given}: a number that Ray leaves alone; or shared, for some of Ray's own"
                yield finding(target, "MN226", field, message, hint=hint, other=(given,))


def _switches(target: Target) -> Iterator[Diagnostic]:
    for name, value in target.env:
        if name.startswith("RAY_EXPERIMENTAL_NOSET_") and (value.literal or "").lower() in {"0", "false", "no"}:
            yield finding(
                target,
                "MN227",
                f"env.{name}",
                f"{name} is {value.literal}, but Ray takes every non-empty value as on",
                hint="remove it (add the name to unset_env to clear an image's value)",
            )
