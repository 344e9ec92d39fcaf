"""The GPUs that Ray deals out on a target."""

from __future__ import annotations

from mngen.manifest.model import Target, Where


def ray_gpus(target: Target) -> int:
    """Return the cluster's GPUs without those of services and of a head that gives fewer."""
    on_all = sum(service.gpus for service in target.services if service.on is Where.EVERY_NODE)
    on_head = sum(service.gpus for service in target.services if service.on is Where.HEAD)
    gpus = target.resources.gpus
    head = gpus if target.ray.head_gpus is None else target.ray.head_gpus
    return max(0, head - on_all - on_head) + max(0, gpus - on_all) * (target.resources.nodes - 1)
