"""The GPUs that Ray deals out: what services take and a head keeps back is not among them."""

from __future__ import annotations

from collections.abc import Iterable

from mngen.manifest.model import Service, Where


def gpu_share(gpus: int, services: Iterable[Service], head_gpus: int | None) -> tuple[int, int]:
    """Return Ray's GPUs on the head and on a worker, of nodes that have ``gpus``."""
    services = tuple(services)
    on_all = sum(service.gpus for service in services if service.on is Where.EVERY_NODE)
    on_head = sum(service.gpus for service in services if service.on is Where.HEAD)
    return max(0, (gpus if head_gpus is None else head_gpus) - on_all - on_head), max(0, gpus - on_all)


def ray_nodes(nodes: int, gpus: int, services: Iterable[Service], head_gpus: int | None) -> tuple[int, int]:
    """Return how many nodes have GPUs for Ray, and the fewest that one of them has."""
    head, worker = gpu_share(gpus, services, head_gpus)
    fewest = min((count for count in (head, worker)[:nodes] if count), default=0)
    return (head > 0) + (worker > 0) * (nodes - 1), fewest


def ray_gpus(nodes: int, gpus: int, services: Iterable[Service], head_gpus: int | None) -> int:
    """Return Ray's GPUs on all nodes, with which the cluster is complete."""
    head, worker = gpu_share(gpus, services, head_gpus)
    return head + worker * (nodes - 1)
