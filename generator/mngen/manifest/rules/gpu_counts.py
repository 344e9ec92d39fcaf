"""GPU numbers that do not add up."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, note, warning
from mngen.manifest.model import Target, Where

_MOST = 16  # two boards of eight in one machine, as in NVIDIA's HGX-2


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse more GPUs for the head or for services than a node has, and GPU fields of a target without GPUs."""
    gpus = target.resources.gpus
    head = target.ray.head_gpus
    if head is not None and head > gpus:
        message = f"ray.head_gpus is {head}, but resources.gpus is {gpus} a node"
        yield finding(target, "MN221", "ray.head_gpus", message, hint=f"at most {gpus}", other=("resources.gpus",))
    elif head == 0 and gpus > 0 and target.resources.nodes == 1:
        yield finding(
            target,
            "MN221",
            "ray.head_gpus",
            "ray.head_gpus is 0 and the head is the only node, so Ray would have no GPU at all",
            hint="remove ray.head_gpus, or ask for more nodes",
            other=("resources.nodes",),
        )
    nodes = target.resources.nodes
    if gpus > _MOST and nodes > 1:
        message = f"resources.gpus is {gpus}: it counts the GPUs of one node, so {nodes} nodes have {gpus * nodes}"
        hint = f"few machines have more than {_MOST}; write those of one node: ${{{{ total_gpus }}}} are those of all"
        yield note(target, "MN221", "resources.gpus", message, hint=hint, other=("resources.nodes",))
    yield from _services(target)
    if gpus == 0:
        yield from _without_gpus(target)


def _services(target: Target) -> Iterator[Diagnostic]:
    gpus = target.resources.gpus
    wanting = [service for service in target.services if service.gpus > 0]
    for service in wanting:
        if service.gpus > gpus:
            field = f"services.{service.name}.gpus"
            message = f"{field} is {service.gpus}, but resources.gpus is {gpus} a node"
            yield finding(target, "MN222", field, message, hint=f"at most {gpus}", other=("resources.gpus",))
    total = sum(service.gpus for service in wanting)
    if total > gpus >= max((service.gpus for service in wanting), default=0):
        names = ", ".join(f"services.{service.name}.gpus" for service in wanting)
        yield finding(
            target,
            "MN222",
            f"services.{wanting[-1].name}.gpus",
            f"the services of the head want {total} GPUs together ({names}), but resources.gpus is {gpus} a node",
            hint="give them fewer, or ask for nodes with more GPUs",
            other=("resources.gpus",),
        )
    elif 0 < gpus == total and any(s.on is Where.EVERY_NODE for s in wanting) and target.ray.head_gpus is None:
        on_all = sum(s.gpus for s in wanting if s.on is Where.EVERY_NODE)
        if on_all == gpus:
            yield warning(
                target,
                "MN222",
                f"services.{wanting[-1].name}.gpus",
                f"services take all {gpus} GPUs of every node, so Ray has none left",
                hint="right where the driver needs no GPU of Ray's; else leave some of resources.gpus to Ray",
                other=("resources.gpus",),
            )


def _without_gpus(target: Target) -> Iterator[Diagnostic]:
    given = {
        "resources.gpu_type": target.resources.gpu_type,
        "resources.gpu_memory": target.resources.gpu_memory,
        "slurm.gpu_request.type": target.slurm.gpu_request.type,
        "container.gpu": target.container.gpu if target.container.gpu not in {"auto", "none"} else None,
        "network.fabric": target.network.fabric if target.network.fabric != "none" else None,
    }
    meant = "resources.gpus" in target.spans
    for field, value in given.items():
        if value is None:
            continue
        message = f"{field} is {value}, but resources.gpus is 0"
        if meant:
            hint = "right where it comes from the top level, for other targets; else remove one of the two"
            yield note(target, "MN223", field, message, hint=hint, other=("resources.gpus",))
        else:
            hint = "set resources.gpus to the GPUs of a node, or remove the field"
            yield warning(target, "MN223", field, message, hint=hint)
