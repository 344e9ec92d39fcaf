"""Folders of log files: Slurm opens the file before the script runs and must find the folder."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import holds
from mngen.manifest.judging.attempts import requeued_by
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.log_patterns import pattern_in, unmade_pattern
from mngen.manifest.judging.slurm_options import given, place
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse folders that nobody can make before the job, and warn of names that arrays and requeued jobs share."""
    if target.kind != "slurm":
        return
    if target.keeps_logs and (pattern := pattern_in(target.logs.dir)) is not None:
        yield finding(
            target,
            "MN235",
            "logs.dir",
            f"logs.dir holds {pattern}, which Slurm fills in for its own files alone: what logs.driver and "
            f"logs.ray_session keep would lie in a folder called {target.logs.dir}",
            hint=f"write `{_before(target.logs.dir, pattern)}`; Slurm's own file is named by slurm.output",
            other=("logs.driver", "logs.ray_session"),
        )
    elif holds("slurm-output-folder-created", target.slurm.version) is not True:
        yield from _folders(target)
    yield from _shared(target)


def _folders(target: Target) -> Iterator[Diagnostic]:
    """Refuse folders that Slurm does not make, where the job alone knows their names."""
    for field, value in _paths(target).items():
        of_all = field == "logs.dir"
        folder = value if of_all else value.rpartition("/")[0]
        pattern = unmade_pattern(folder, target.slurm.version)
        if pattern is not None:
            kept = _before(folder, pattern)
            instead = f"write `{kept}`; the file in it is %x-%j.out" if of_all else f"write `{kept}/%x-%j.out`"
            yield finding(
                target,
                "MN235",
                field,
                f"{field} has {pattern} in its folder ({folder}): nobody can make that folder before the job, and "
                "Slurm before 23.02 then fails the job without a log",
                hint=f"{instead}; or write slurm: {{version: 23.02}} if Slurm is as new as that"
                if target.slurm.version is None
                else instead,
                other=("slurm.version",),
            )


def _before(folder: str, pattern: str) -> str:
    """Return the part of a folder before a pattern, or the folder that logs have by themselves."""
    return folder[: folder.index(pattern)].rpartition("/")[0] or "logs"


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
