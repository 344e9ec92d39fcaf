"""Folders of log files: Slurm opens the file before the script runs and must find the folder."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.attempts import requeued_by
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.slurm_options import given, place
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a ``%`` pattern in the folder part of a log path, and shared names of arrays and requeued jobs."""
    if target.kind != "slurm":
        return
    for field, value in _paths(target).items():
        folder = value if field == "logs.dir" else value.rpartition("/")[0]
        if "%" in folder.replace("%%", ""):
            yield finding(
                target,
                "MN235",
                field,
                f"{field} has a pattern in its folder ({folder}): nobody can make that folder before the job, and "
                "Slurm before 23.02 then fails the job without a log",
                hint="keep the pattern in the file name: logs/%x-%j.out",
            )
    yield from _shared(target)


def _shared(target: Target) -> Iterator[Diagnostic]:
    """Warn where tasks or attempts overwrite one log; mngen lets a requeued job append unless the user says no."""
    requeuing = requeued_by(target)
    if requeuing and target.slurm.fields.get("open_mode") == "truncate":
        yield warning(
            target,
            "MN236",
            "slurm.open_mode",
            f"slurm.open_mode is truncate, and {requeuing[0]} requeues the job: each attempt would empty the log",
            hint="write append, or leave it out",
            other=requeuing,
        )
    if not given(target, "array"):
        return
    array = place(target, "array")
    for field, name in _paths(target).items():
        if field != "logs.dir" and not any(pattern in name for pattern in ("%a", "%j", "%J")):
            message = f"{field} is {name}, one file for all tasks of {array}"
            hint = "write %A_%a into the file's name"
            yield warning(target, "MN236", field, message, hint=hint, other=(array,))
    if target.endpoint is not None and not any(n == "job_id" or "SLURM" in n for n in target.endpoint.file.refs):
        message = "endpoint.file is one file for all tasks of the array, and each has a cluster of its own"
        hint = "write ${{ job_id }} or ${{ env.SLURM_ARRAY_TASK_ID }} into the file's name"
        yield warning(target, "MN236", "endpoint.file", message, hint=hint, other=(array,))


def _paths(target: Target) -> dict[str, str]:
    paths = {
        "logs.dir": target.logs.dir,
        "slurm.output": target.slurm.output,
        place(target, "error"): given(target, "error"),
    }
    return {field: value for field, value in paths.items() if value}
