"""Folders of log files: Slurm opens the file before the script runs and must find the folder."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.model import Target
from mngen.manifest.rules.finding import finding, warning


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
    requeues = target.on_time_limit is not None and target.on_time_limit.then == "requeue"
    if requeues and target.slurm.fields.get("open_mode") == "truncate":
        yield warning(
            target,
            "MN236",
            "slurm.open_mode",
            "slurm.open_mode is truncate, and on_time_limit requeues the job: each attempt would empty the log",
            hint="write append, or leave it out",
            other=("on_time_limit.then",),
        )
    output = target.slurm.output
    if "array" in target.slurm.fields and output is not None and not any(p in output for p in ("%a", "%j", "%J")):
        yield warning(
            target,
            "MN236",
            "slurm.output",
            f"slurm.output is {output}, one file for all tasks of slurm.array",
            hint="write %A_%a into the file's name",
            other=("slurm.array",),
        )


def _paths(target: Target) -> dict[str, str]:
    paths = {"logs.dir": target.logs.dir, "slurm.output": target.slurm.output, "slurm.error": target.slurm.error}
    return {field: value for field, value in paths.items() if value is not None}
