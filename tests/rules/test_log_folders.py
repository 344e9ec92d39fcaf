"""Folders of log files: patterns that Slurm cannot fill in before the job, and what is no pattern."""

from __future__ import annotations

import pytest


def slurm(**values):
    return {"slurm": values}


def logs(folder, **more):
    return {"logs": {"dir": folder}, **more}


KEPT = {"logs": {"dir": "logs/%u", "driver": "driver.log"}}
ONLY_THE_JOB = ("%j", "%A", "%a", "%b", "%J", "%N", "%n", "%s", "%t", "%4j", "%r", "%S")
CASES = {
    **{f"folder {part}": (slurm(output=f"logs/{part}/x.out"), ["MN235"]) for part in ONLY_THE_JOB},
    **{f"folder {part} of errors": (slurm(error=f"logs/{part}/x.err"), ["MN235"]) for part in ONLY_THE_JOB},
    **{f"folder {part} of all logs": (logs(f"logs/{part}"), ["MN235"]) for part in ONLY_THE_JOB},
    **{
        f"folder {part} in an old Slurm": (slurm(output=f"logs/{part}/x.out", version="22.05"), ["MN235"])
        for part in ONLY_THE_JOB[:10]
    },
    **{
        f"folder {part}, which is none in an old Slurm": (slurm(output=f"logs/{part}/x.out", version="22.05"), [])
        for part in ONLY_THE_JOB[10:]
    },
    **{
        f"folder {part} in a Slurm that makes it": (slurm(output=f"logs/{part}/x.out", version="23.02"), [])
        for part in ONLY_THE_JOB
    },
    "folder of errors in a Slurm that makes it": ({"slurm": {"extra": ["-e", "%j/x.err"], "version": "24.11"}}, []),
    "all logs in a Slurm that makes it": (logs("logs/%j", slurm={"version": "24.11"}), []),
    "a user's folder": (slurm(output="/scratch/%u/%x-%j.out"), []),
    "a user's folder, in a new Slurm": (slurm(output="/scratch/%u/%x-%j.out", version="24.11"), []),
    "the name's folder": (logs("logs/%x"), ["MN235"]),
    "the name's folder in a Slurm that makes it": (logs("logs/%x", slurm={"version": "24.11"}), []),
    "no pattern": (logs("a%go"), []),
    "a percent sign": (logs("100%%j"), []),
    "a folder that mngen fills itself": (KEPT, ["MN235"]),
    "a folder that mngen fills itself, in a new Slurm": ({**KEPT, **slurm(version="24.11")}, ["MN235"]),
    "a folder that mngen fills itself, with no pattern": ({"logs": {"dir": "a%go", "driver": "d.log"}}, []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


@pytest.mark.parametrize(
    "fields",
    [
        logs("logs/%j"),
        logs("%j"),
        logs("/scratch/me/%x-%j/logs"),
        slurm(output="logs/%j/x.out"),
        slurm(output="%j/x.out"),
        slurm(output="/scratch/%u/%j/x.out"),
        slurm(error="logs/%j/x.err"),
        KEPT,
    ],
)
def test_the_hint_applied_ends_the_finding(codes, findings, fields):
    (found,) = findings(**fields)
    hinted = found.hint.partition("`")[2].partition("`")[0]
    ((block, values),) = fields.items()
    name = "error" if "error" in values else "dir" if block == "logs" else "output"
    assert codes(**{block: {**values, name: hinted}}) == []
