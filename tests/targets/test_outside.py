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


@pytest.mark.parametrize("kind", ["slurm", "manual", "skypilot", "dstack"])
@pytest.mark.parametrize(
    ("words", "asked"), [("a", ""), ("${{ head_host }} ${{ head_ip }}", "HEAD_HOST=... HEAD_IP=...")], ids=["", "asks"]
)
def test_what_the_arguments_need_is_exported_before_the_driver_is_submitted(kind: str, words: str, asked: str) -> None:
    """The log of the cluster has the line; the script refuses to go on without it."""
    driver = f"driver: {{command: [train, '{words}'], submit: ray-job, from: outside}}\n"
    target = f"targets: {{job: {{kind: {kind}, image: {{ref: a/b:1}}, resources: {{gpu_type: h100}}}}}}\n"
    loaded = load(f"apiVersion: mngen/v1\nname: xy\n{driver}{target}", "m.yaml", LoadOptions(kind=targets.definition))
    assert loaded.manifest is not None, loaded.diagnostics
    files = {file.path: file.text for file in render.render(targets.plan(loaded.manifest), digest="").files}
    name = "submit.sh" if kind == "manual" else "submit-job.sh"
    told, submits, _ = files["README.md"].partition(f"out/job/{name} start\n")
    assert submits
    log = "that `head.sh` prints" if kind == "manual" else "that the head's log shows"
    wanted = f"Set in this shell what the driver's arguments need, by the line {log}:\n\n```sh\nexport {asked}\n```\n"
    assert (wanted in told) == bool(asked)
    assert (":?set it to what the log" in files[f"job/{name}"]) == bool(asked)


@pytest.mark.parametrize(("where", "cost"), [("outside", True), ("head", False)])
def test_a_dstack_run_that_waits_for_drivers_is_said_to_cost(where: str, cost: bool) -> None:
    """Nothing but `dstack stop` ends it; where the head runs the driver, the run ends by itself."""
    driver = f"driver: {{command: [train], submit: ray-job, from: {where}}}\n"
    target = "targets: {job: {kind: dstack, image: {ref: a/b:1}}}\n"
    loaded = load(f"apiVersion: mngen/v1\nname: xy\n{driver}{target}", "m.yaml", LoadOptions(kind=targets.definition))
    assert loaded.manifest is not None, loaded.diagnostics
    files = {file.path: file.text for file in render.render(targets.plan(loaded.manifest), digest="").files}
    (said,) = re.findall(r"^(.*):\n\n```sh\ndstack stop xy$", files["README.md"], re.MULTILINE)
    assert said == "Stop the run" + "; until then the machines stay, and cost" * cost
