"""``on_time_limit.then``, ``retry``, ``slurm.requeue`` and ``resume``: a next attempt that comes, and what it does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.attempts import may_go_back, requeued_by
from mngen.manifest.judging.finding import finding, note, warning
from mngen.manifest.judging.placed_texts import argument_lists
from mngen.manifest.model import Target
from mngen.manifest.text import spelled

_NAMES = frozenset({"attempt", "env.ATTEMPT", "env.SLURM_RESTART_COUNT"})
_READ = r"(?m)^[^#\n]*(?<![\w.])(?:ATTEMPT|SLURM_RESTART_COUNT)\b"
"""The variables that say it, in a text for a shell: with ``$``, or without one in arithmetic."""


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
    elif requeuing and target.resume is None and not _knows_attempt(target):
        yield note(
            target,
            "MN246",
            requeuing[0],
            f"{requeuing[0]} requeues the job, but resume gives no arguments: each attempt runs the same command",
            hint="right if the driver finds its last checkpoint by itself (verl does by default); else set resume.args",
        )


def _knows_attempt(target: Target) -> bool:
    """Tell whether anything that makes up the work is told which attempt it is, so that it may do something else."""
    texts = [text for _, text in argument_lists(target)]
    texts += [text for _, text in target.env]
    texts += [text for service in target.services for _, text in service.env]
    before = (target.host_setup, target.setup, *(step.script for step in target.prepare))
    texts += [script.text for script in before if script is not None]
    return any(_NAMES & {*text.refs} or re.search(_READ, spelled(text)) for text in texts)


def _without(field: str) -> str:
    return "write then: stop" if field == "on_time_limit.then" else "write retry: {max: 0}"
