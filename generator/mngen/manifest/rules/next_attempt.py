"""``on_time_limit.then``, ``retry``, ``slurm.requeue`` and ``resume``: a next attempt that comes, and what it does."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.attempts import may_go_back, requeued_by
from mngen.manifest.judging.finding import finding, note, warning
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse requeue that is also forbidden; warn of arguments for an attempt that never comes."""
    if target.kind != "slurm":
        return
    requeuing = requeued_by(target)
    if requeuing and target.slurm.fields.get("requeue") is False:
        yield finding(
            target,
            "MN245",
            requeuing[0],
            f"{requeuing[0]} puts the job back into the queue, but slurm.requeue is false: Slurm would refuse that",
            hint=f"remove slurm.requeue, or {' and '.join(map(_without, requeuing))}",
            other=("slurm.requeue",),
        )
    if target.resume is not None and not may_go_back(target):
        yield warning(
            target,
            "MN246",
            "resume",
            "resume is set, but nothing requeues the job, so there may never be a second attempt",
            hint="write retry: {max: 3}, on_time_limit: {then: requeue} or slurm: {requeue: true}",
            other=("retry", "on_time_limit", "slurm.requeue"),
        )
    elif requeuing and target.resume is None:
        yield note(
            target,
            "MN246",
            requeuing[0],
            f"{requeuing[0]} requeues the job, but resume gives no arguments: each attempt runs the same command",
            hint="right if the driver finds its last checkpoint by itself (verl does by default); else set resume.args",
        )


def _without(field: str) -> str:
    return "write then: stop" if field == "on_time_limit.then" else "write retry: {max: 0}"
