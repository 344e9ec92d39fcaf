"""How long the head waits for the other nodes."""

from __future__ import annotations

from mngen.manifest.model import Runtime, Target

_JOIN_S = 300
"""Seconds for nodes that differ only in how fast their files are read."""
_PULL_S = 900
"""Seconds where one node may have the image and another has to pull and unpack some ten gigabytes of it."""
_HANDS_S = 1800
"""Seconds where a person starts the workers one after the other."""


def ready_timeout(target: Target) -> int:
    """Return the seconds until all nodes must have joined.

    The head's Ray starts when the services there are ready, one after the other, and a worker joins when its own are;
    either may be what the other waits for.
    """
    own = target.ray.ready_timeout
    seconds = own if own is not None else _usual(target)
    return seconds + sum(service.ready.timeout for service in target.services if service.ready)


def _usual(target: Target) -> int:
    if target.kind == "manual":
        return _HANDS_S
    return _PULL_S if _each_node_pulls(target) else _JOIN_S


def _each_node_pulls(target: Target) -> bool:
    """Tell whether a node may have to fetch the image while the head's Ray is up already.

    SkyPilot has it on all nodes before it runs anything; dstack starts each node's container by itself.
    """
    if target.kind in {"skypilot", "dstack"}:
        return target.kind == "dstack"
    if target.runtime.is_engine:
        return target.container.pull != "never"
    in_a_file = target.image is not None and (target.image.sif is not None or target.image.sqsh is not None)
    return target.runtime in (Runtime.APPTAINER, Runtime.PYXIS) and not in_a_file
