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
    output = target.slurm.output
    if output is not None and not any(p in output for p in ("%j", "%A", "%J")) and output != "/dev/null":
        truncates = target.slurm.fields.get("open_mode") != "append"
        requeues = target.on_time_limit is not None and target.on_time_limit.then == "requeue"
        if "array" in target.slurm.fields or (requeues and truncates):
            yield warning(
                target,
                "MN236",
                "slurm.output",
                f"slurm.output is {output}, the same file for every "
                + ("task of slurm.array" if "array" in target.slurm.fields else "attempt, which empties it"),
                hint="add %j (or %A_%a for arrays)" + (", or open_mode: append" if truncates else ""),
                other=("slurm.array", "on_time_limit.then"),
            )


def _paths(target: Target) -> dict[str, str]:
    paths = {"logs.dir": target.logs.dir, "slurm.output": target.slurm.output, "slurm.error": target.slurm.error}
    return {field: value for field, value in paths.items() if value is not None}
