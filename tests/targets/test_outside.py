"""Drivers that are submitted from outside: what is of no use to them is said, and has no line in the job."""

from __future__ import annotations

import re

import pytest

from mngen import render, targets
from mngen.manifest.load import LoadOptions, load

FIELDS = """
secrets: {RAY_AUTH_TOKEN: {}}
driver: {command: [train], submit: ray-job, from: outside}
on_time_limit: {signal: TERM, before: 60, then: requeue}
retry: {}
resume: {args: [resume=auto]}
logs: {driver: x.log}
"""


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("slurm", ["logs.driver", "on_time_limit", "resume"]),
        ("manual", ["logs.driver", "on_time_limit", "resume", "retry"]),
    ],
)
def test_what_no_driver_of_the_job_has_is_said(kind: str, expected: list[str]) -> None:
    text = f"apiVersion: mngen/v1\nname: x\nslurm: {{time: 90}}\n{FIELDS}targets: {{job: {{kind: {kind}}}}}\n"
    loaded = load(text, "manifest.yaml", LoadOptions(kind=targets.definition))
    assert loaded.manifest is not None, loaded.diagnostics
    said = [note.message.split(" ")[0] for note in targets.notes(loaded.manifest) if note.code in {"MN250", "MN251"}]
    assert sorted({*said} - {"slurm"}) == expected
    files = render.render(targets.plan(loaded.manifest), digest="").files
    for file in files:
        if file.path in {"job/job.sbatch", "job/head.sh"}:
            defined = re.findall(r"^(\w+)\(\) \{", file.text, re.MULTILINE)
            assert [name for name in defined if len(re.findall(rf"\b{name}\b", file.text)) < 2] == []
            assert "pass_time_limit" not in file.text
