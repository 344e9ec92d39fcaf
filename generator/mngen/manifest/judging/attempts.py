"""What starts a Slurm job again."""

from __future__ import annotations

from mngen.manifest.judging.slurm_options import extra_options
from mngen.manifest.model import Target


def requeued_by(target: Target) -> tuple[str, ...]:
    """Return the fields by which the job puts itself back into the queue."""
    limit = target.on_time_limit
    warned = ("on_time_limit.then",) if limit is not None and limit.then == "requeue" else ()
    return (*warned, *(("retry",) if target.retry is not None else ()))


def may_go_back(target: Target) -> bool:
    """Tell whether the job may come back to the queue at all, by itself or by Slurm."""
    asked = target.slurm.fields.get("requeue") is True or any(o.name == "--requeue" for o in extra_options(target))
    return asked or bool(requeued_by(target))


def goes_on_in_log(target: Target) -> bool:
    """Tell whether the job file says by itself that a later attempt must not wipe the log of the one before.

    Slurm puts a job back that does not speak of it too, after the loss of a node (slurm.conf, JobRequeue).
    """
    fields = target.slurm.fields
    return "open_mode" not in fields and (fields.get("requeue") is not False or bool(requeued_by(target)))
