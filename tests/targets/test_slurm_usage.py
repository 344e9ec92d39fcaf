"""The commands that the README has for a Slurm job."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from mngen import render, targets
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.model import Manifest
from mngen.targets.slurm_usage import usage

FOLLOW = "Follow a job"
END = "See why it ended"
AGAIN = "Submit what goes on where an earlier job stopped"
BACK = "Put a running job back into the queue"
DEBUG = "Debug a task that waits for it, in that shell"


def only(found: dict[str, str], start: str) -> str | None:
    """The command whose words begin so."""
    return next((command for words, command in found.items() if words.startswith(start)), None)


def loaded_manifest(**fields: Any) -> Manifest:
    manifest = {"apiVersion": "mngen/v1", "name": "ab", "driver": {"command": ["x"]}, **fields}
    manifest.setdefault("targets", {"job": {"kind": "slurm"}})
    loaded = load(yaml.safe_dump(manifest), "manifest.yaml", LoadOptions())
    assert loaded.manifest is not None, loaded.diagnostics
    return loaded.manifest


def commands(**fields: Any) -> dict[str, str]:
    manifest = loaded_manifest(**fields)
    return dict(usage(manifest.targets[0], manifest))


def files(**fields: Any) -> dict[str, str]:
    made = render.render(targets.plan(loaded_manifest(**fields), partial=False), digest="").files
    return {file.path: file.text for file in made}


@pytest.mark.parametrize(
    ("slurm", "log", "told"),
    [
        ({}, "logs/ab-JOB.out", ""),
        ({"output": "o/%j.log"}, "o/JOB.log", ""),
        ({"output": "%08j"}, '$(printf %08d "JOB")', ""),
        ({"output": "o", "error": "o"}, "o", ""),
        ({"output": "o-%j", "error": "e-%j"}, "o-JOB", " e-JOB"),
        ({"output": "o", "chdir": "/w"}, "/w/o", ""),
        ({"array": "0-3"}, "logs/ab-JOB_0.out", ""),
    ],
    ids=str,
)
def test_the_log_has_its_name(slurm: dict[str, str], log: str, told: str) -> None:
    found = commands(slurm=slurm)
    assert found[FOLLOW] == f"tail -F {log}{told}"
    assert found[END] == f"grep mngen-verdict {log}"


@pytest.mark.parametrize("name", ["output", "error"])
def test_a_log_whose_name_only_the_job_knows_is_left_out(name: str) -> None:
    found = commands(slurm={"output": "o", name: "log-%N"})
    assert FOLLOW not in found
    assert END not in found


@pytest.mark.parametrize(
    ("fields", "command"),
    [
        ({"resume": {"args": ["--resume", "a b"]}, "retry": {}}, "out/job/submit.sh --resume 'a b'"),
        ({"resume": {"args": ["--from=${{ job_id }}"]}, "retry": {}}, None),
        ({"retry": {}}, None),
    ],
)
def test_the_arguments_of_a_second_attempt_can_be_given_by_hand(fields: dict[str, Any], command: str | None) -> None:
    assert commands(**fields).get(AGAIN) == command


@pytest.mark.parametrize(
    ("fields", "goes_back"),
    [
        ({}, False),
        ({"retry": {}}, True),
        ({"retry": {"max": 0}}, False),
        ({"slurm": {"requeue": True}}, True),
        ({"slurm": {"extra": ["--requeue"]}}, True),
        ({"slurm": {"requeue": False}}, False),
        ({"slurm": {"time": 60}, "on_time_limit": {"then": "requeue"}}, True),
        ({"slurm": {"time": 60}, "on_time_limit": {"then": "stop"}}, False),
    ],
    ids=str,
)
def test_a_job_that_may_go_back_to_the_queue_can_be_put_there(fields: dict[str, Any], goes_back: bool) -> None:
    assert only(commands(**fields), BACK) == ("scontrol requeue JOB" if goes_back else None)


def test_one_task_of_an_array_is_put_back() -> None:
    assert only(commands(retry={}, slurm={"array": "2,4"}), BACK) == "scontrol requeue JOB_TASK"


@pytest.mark.parametrize(
    ("debug", "command"), [({}, None), ({"post_mortem": True}, None), ({"legacy": True}, "ray debug")]
)
def test_the_older_debugger_is_a_command(debug: dict[str, bool], command: str | None) -> None:
    assert commands(debug=debug).get(DEBUG) == command


def test_the_debugger_belongs_to_the_jobs_own_ray() -> None:
    assert commands(debug={"legacy": True}, ray={"command": ["uv", "run", "ray"]})[DEBUG] == "uv run ray debug"


def test_what_the_job_does_by_itself_is_told() -> None:
    words = f"{BACK}, as the job does itself"
    failed, retry = "after exit status 1, 76 unless it has come back 5 times already", {"max": 5, "exit_codes": [1, 76]}
    limit = {"signal": "USR1", "before": 300, "then": "requeue"}
    hour = {"time": "01:00:00"}
    assert f"{words} {failed}" in commands(retry=retry)
    assert f"{words} at its time limit" in commands(on_time_limit=limit, slurm=hour)
    assert f"{words} at its time limit and {failed}" in commands(on_time_limit=limit, retry=retry, slurm=hour)
    assert BACK in commands(slurm={**hour, "requeue": True}, on_time_limit={**limit, "then": "stop"})


def test_the_jobs_number_has_a_name() -> None:
    assert "Submit, which prints the number that is JOB below; arguments after it go to the driver" in commands()
    task = "Submit, which prints the number that is JOB below, and of a task JOB_TASK, such as JOB_2"
    assert only(commands(slurm={"array": "2,4"}), task)


@pytest.mark.parametrize(
    ("fields", "asks"),
    [
        ({}, True),
        ({"ray": {"version": "2.52.1"}}, True),
        ({"ray": {"version": "2.44.1"}}, False),
        ({"ray": {"auth": "disabled"}}, False),
    ],
    ids=str,
)
def test_a_dashboard_has_a_token_where_its_ray_asks_for_one(fields: dict[str, Any], asks: bool) -> None:
    assert ("RAY_AUTH_TOKEN" in files(**fields)["job/attach.sh"]) == asks


@pytest.mark.parametrize(("outside", "how"), [(True, "When it is stopped"), (False, "With its driver's exit status")])
def test_the_readme_says_how_a_run_ends(outside: bool, how: str) -> None:
    away = {"submit": "ray-job", "from": "outside"} if outside else {}
    text = files(driver={"command": ["x"], **away})["README.md"]
    assert f"{how}, or with one of these; the log says more." in text


def test_where_there_is_no_dashboard_none_is_told_of() -> None:
    with_one, without = commands(), commands(ray={"dashboard": {"enabled": False}})
    assert sum("dashboard" in text for text in with_one) == 1
    assert sum("dashboard" in text for text in without) == 0


@pytest.mark.parametrize(
    ("loss", "nodes", "said"),
    [
        ("fail", 2, "If any part dies, the job ends and says which."),
        ("continue", 2, "If the head dies, the job ends and says so."),
        ("continue", 1, "If any part dies, the job ends and says which."),
    ],
)
def test_the_header_says_whose_death_ends_the_job(loss: str, nodes: int, said: str) -> None:
    text = files(on_node_loss=loss, resources={"nodes": nodes})["job/job.sbatch"]
    assert re.findall(r"If \S+ \S+ dies, [^.]*\.", text.partition("\nset -E")[0]) == [said]
