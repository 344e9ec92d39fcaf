"""What starts a Slurm job again."""

from __future__ import annotations

from mngen.manifest.model import Target


def requeued_by(target: Target) -> tuple[str, ...]:
    """Return the fields by which the job puts itself back into the queue."""
    limit = target.on_time_limit
    warned = ("on_time_limit.then",) if limit is not None and limit.then == "requeue" else ()
    return (*warned, *(("retry",) if target.retry is not None else ()))
