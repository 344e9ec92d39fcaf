"""``memory``, ``shm`` and the object store: one form, and sizes that fit into each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.judging.finding import finding, graded, warning
from mngen.manifest.judging.sizes import size_bytes
from mngen.manifest.judging.words import option_name, text_words
from mngen.manifest.model import Target

_MOST = 1 << 83
"""2^63 megabytes."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse memory for each of what is not counted, and an object store that does not fit into /dev/shm."""
    memory = target.resources.memory
    if memory is not None:
        forms = [name for name in ("per_node", "per_cpu", "per_gpu") if getattr(memory, name) is not None]
        counts = {"per_gpu": ("gpus", target.resources.gpus or None), "per_cpu": ("cpus", target.resources.cpus)}
        for form, (count, number) in counts.items():
            if form in forms and number is None and (form == "per_gpu" or target.kind != "slurm"):
                yield finding(
                    target,
                    "MN289",
                    f"resources.memory.{form}",
                    f"resources.memory.{form} is set, but resources.{count} is not",
                    hint=f"set resources.{count}, or write memory for the whole node",
                    other=(f"resources.{count}",),
                )
        if target.kind == "slurm":
            yield from _countable(target, {form: getattr(memory, form) for form in forms})
    yield from _fit(target)
    yield from _default_shm(target)


def _countable(target: Target, memory: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Refuse sizes that sbatch ends at with "Invalid --mem specification": it counts megabytes in 64 bits."""
    for form, text in memory.items():
        size = size_bytes(text)
        if size is not None and size >= _MOST:
            field = "resources.memory" if form == "per_node" else f"resources.memory.{form}"
            message = f"resources.memory is {text}, more than Slurm counts"
            yield finding(target, "MN289", field, message, hint="write what a node has, for example 1500G")


def _fit(target: Target) -> Iterator[Diagnostic]:
    sizes = {
        "ray.object_store": target.ray.object_store,
        "resources.shm": target.resources.shm,
        "resources.memory": target.resources.memory.per_node if target.resources.memory else None,
    }
    known = {field: size_bytes(text) for field, text in sizes.items() if text is not None and text != "0"}
    order = [(field, size) for field in sizes if (size := known.get(field))]
    for (small, little), (large, much) in pairwise(order):
        if little > much:
            store = small == "ray.object_store"
            yield graded(
                Severity.ERROR if store else Severity.WARNING,
                finding(
                    target,
                    "MN289",
                    small,
                    f"{small} ({sizes[small]}) is larger than {large} ({sizes[large]}), "
                    + ("which holds the store" if large == "resources.shm" else "from which it is taken"),
                    hint=f"make {small} smaller or {large} larger",
                    other=(large,),
                ),
            )


def _default_shm(target: Target) -> Iterator[Diagnostic]:
    """Warn when a container would get Docker's own /dev/shm of 64 MiB (docker run, ``--shm-size``)."""
    if not target.runtime.is_engine or target.kind not in {"slurm", "manual"}:
        return
    raw = [option_name(word) for word in text_words(target.container.options)]
    if target.resources.shm is None and "--shm-size" not in raw and "--ipc" not in raw:
        yield warning(
            target,
            "MN289",
            "runtime",
            f"runtime is {target.runtime.value} and resources.shm is absent, so /dev/shm has 64 MiB: Ray keeps its "
            "objects on disk, and NCCL may fail",
            hint="write resources: {shm: 64G}, or what your object store needs",
            other=("resources",),
        )
