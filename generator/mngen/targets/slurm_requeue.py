"""How a Slurm job puts itself back into the queue: at its time limit, or after a failure that may be tried again."""

from __future__ import annotations

from mngen.launch.model import Setting
from mngen.launch.words import quote
from mngen.manifest.judging.attempts import requeued_by
from mngen.manifest.judging.slurm_options import first_task
from mngen.manifest.model import Target
from mngen.plan import Raw


def driver_has(target: Target) -> int:
    """Seconds from the warning of the time limit until the job is requeued, in time for its end before the limit."""
    limit = target.on_time_limit
    return max(limit.before - 60, limit.before // 2) if limit is not None and limit.then == "requeue" else 0


def settings(target: Target) -> tuple[Setting, ...]:
    """What an operator may want to change."""
    if target.retry is None:
        return ()
    codes = "|".join(map(str, target.retry.exit_codes))
    return Setting("RETRY_MAX", Raw(str(target.retry.max))), Setting("RETRY_CODES", quote(codes))


def leave(target: Target) -> tuple[Raw, ...]:
    """Last lines of the batch shell: whether the job begins anew."""
    if not requeued_by(target):
        return ()
    number = _own_number(target)
    stays = f'[[ $(scontrol show job "{number}") != *JobState=C* ]]; then'
    if target.retry is None:
        again: tuple[str, ...] = (f"if [[ -n ${{TIME_LIMIT}} && -z ${{CANCELLED}} ]] && {stays}",)
        why = "the time limit ended attempt ${ATTEMPT}"
    else:
        failed = 'is_retried "${status}"'
        cause = f"{{ [[ -n ${{TIME_LIMIT}} ]] || {failed}; }}" if driver_has(target) else failed
        again = (f"if [[ -z ${{CANCELLED}} ]] && {cause} \\", f"  && {stays}")
        why = "attempt ${ATTEMPT} ended with status ${status}"
    return (
        Raw("# Slurm would bring back a job that is just being cancelled, too."),
        *(Raw(line) for line in again),
        Raw(f'  say "{why}; the job goes back to the queue"'),
        Raw(f'  scontrol requeue "{number}" || say "warning: the job could not be requeued"'),
        Raw("fi"),
    )


def _own_number(target: Target) -> str:
    """How ``scontrol`` is told this job alone: one task's own number is also that of its whole array.

    https://slurm.schedmd.com/job_array.html, "Job ID and Environment Variables".
    """
    return "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" if first_task(target) else "${JOB_ID}"
