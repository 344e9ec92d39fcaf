"""``on_node_loss: continue``: who else ends the job when a node is gone."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn where the target's own system ends the job all the same."""
    if target.on_node_loss != "continue":
        return
    if target.resources.nodes == 1:
        message = "on_node_loss is continue, but the only node is the head, without which there is no cluster"
        yield warning(
            target,
            "MN247",
            "on_node_loss",
            message,
            hint="remove it",
            other=("resources.nodes",),
        )
        return
    reasons = {
        "skypilot": "SkyPilot fails the whole job when one node's script fails or its machine is lost",
        "dstack": "dstack ends the whole run when one node's job fails (dstackai/dstack#2123)",
        "slurm": "Slurm ends a job with a failed node when --no-kill is off" if _ends(target) else None,
    }
    reason = reasons.get(target.kind)
    if reason is not None:
        yield warning(
            target,
            "MN247",
            "on_node_loss",
            f"on_node_loss is continue, but {reason}",
            hint="remove slurm.no_kill: the job has --no-kill then"
            if target.kind == "slurm"
            else "write on_node_loss: fail for this target",
            other=("slurm.no_kill",),
        )


def _ends(target: Target) -> bool:
    """Tell whether the manifest takes back the ``--no-kill`` that ``on_node_loss: continue`` brings by itself."""
    return target.slurm.fields.get("no_kill") is False
