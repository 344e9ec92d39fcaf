"""The commands that the README has for a Slurm job."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from mngen.manifest.load import LoadOptions, load
from mngen.targets.slurm_usage import usage

FOLLOW = "Follow a job"
END = "See why it ended"
AGAIN = "Submit what goes on where an earlier job stopped"
BACK = "Put a running job back into the queue"
DEBUG = "Debug a task that waits for it, in that shell"


def commands(**fields: Any) -> dict[str, str]:
    manifest = {"apiVersion": "mngen/v1", "name": "ab", "driver": {"command": ["x"]}, **fields}
    manifest.setdefault("targets", {"job": {"kind": "slurm"}})
    loaded = load(yaml.safe_dump(manifest), "manifest.yaml", LoadOptions())
    assert loaded.manifest is not None, loaded.diagnostics
    return dict(usage(loaded.manifest.targets[0], loaded.manifest))


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
        ({"slurm": {"requeue": True}}, True),
        ({"slurm": {"requeue": False}}, False),
        ({"slurm": {"time": 60}, "on_time_limit": {"then": "requeue"}}, True),
        ({"slurm": {"time": 60}, "on_time_limit": {"then": "stop"}}, False),
    ],
    ids=str,
)
def test_a_job_that_may_go_back_to_the_queue_can_be_put_there(fields: dict[str, Any], goes_back: bool) -> None:
    assert commands(**fields).get(BACK) == ("scontrol requeue JOB" if goes_back else None)


def test_one_task_of_an_array_is_put_back() -> None:
    assert commands(retry={}, slurm={"array": "2,4"})[BACK] == "scontrol requeue JOB_TASK"


@pytest.mark.parametrize(
    ("debug", "command"), [({}, None), ({"post_mortem": True}, None), ({"legacy": True}, "ray debug")]
)
def test_the_older_debugger_is_a_command(debug: dict[str, bool], command: str | None) -> None:
    assert commands(debug=debug).get(DEBUG) == command


def test_where_there_is_no_dashboard_none_is_told_of() -> None:
    with_one, without = commands(), commands(ray={"dashboard": {"enabled": False}})
    assert sum("dashboard" in text for text in with_one) == 1
    assert sum("dashboard" in text for text in without) == 0
