"""Whole files with the defects of published launch and image files, each with the list of what is found in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mngen.checks.foreign import check_foreign
from mngen.diagnostics import Diagnostic, Severity

FILES = Path(__file__).parent / "files"
INPUTS = sorted(path.name for path in FILES.iterdir() if path.suffix != ".expected")


def found(name: str) -> list[Diagnostic]:
    return check_foreign((FILES / name).read_text(encoding="utf-8"), name)


def expected(name: str) -> list[str]:
    return (FILES / f"{name}.expected").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", INPUTS)
def test_findings_are_those_of_the_list(name: str) -> None:
    """mngen's own findings are exactly those of the list; of the linters' at least the ones listed."""
    listed = expected(name)
    reported = [f"{item.span.line} {item.code} {item.severity.value}" for item in found(name)]
    own = [line for line in reported if " MN" in line]
    assert sorted(own) == sorted(line for line in listed if " MN" in line)
    assert set(listed) <= set(reported)


# What a program can see of the defects that were found by hand and by running these files.
DEFECTS = {
    "apptainer_job.slurm": {
        "all node names in one array element": "MN722",
        "status lost in the pipe to tee": "MN710",
        "no errexit": "MN711",
        "address family by length": "MN751",
        "address without brackets": "MN753",
        "IPv4 only": "MN752",
        "one probe without --overlap": "MN736",
        "fixed sleeps": "MN719",
        "nobody checks that all joined": "MN757",
        "process ids not kept": "MN717",
        "request read as a number": "MN739",
        "steps without CPUs": "MN737",
        "fixed port": "MN754",
        "other ports random": "MN755",
        "/tmp/ray": "MN760",
        "tokens in the log": "MN782",
        "one log for all jobs": "MN742",
        "the image's runscript": "MN770",
        "one vendor": "MN771",
        "the host's environment inside": "MN772",
        "unquoted paths": "MN749",
        "no working folder": "MN773",
        "no trap": "MN718",
        "limit of open files": "MN747",
        "no token": "MN765",
        "driver without address": "MN756",
        "worker's address not pinned": "MN759",
        "no signal before the time limit": "MN743",
    },
    "docker_job.sh": {
        "everything twice per node": "MN735",
        "prune": "MN774",
        "pull and build on nodes": "MN775",
        "image by name": "MN776",
        "fixed container name": "MN777",
        "detached container": "MN778",
        "privileged": "MN779",
        "keys and home mounted": "MN780",
        "three device lists": "MN785",
        "fixed device list": "MN786",
        "one site's fabric, noisy logs": "MN787",
        "quotes inside quotes": "MN723",
        "tool that may be missing": "MN788",
        "test swallows its exception": "MN729",
        "empty node name goes on": "MN728",
        "variables not handed in": "MN781",
        "model downloaded by a pipeline": "MN789",
        "path overwritten": "MN727",
        "folder of the log": "MN733",
        "named nodes": "MN734",
        "step of one task on many nodes": "MN738",
        "key twice": "MN726",
        "batch host only": "MN744",
        "joins by auto": "MN768",
        "split by words": "SC2207",
    },
    "cluster.sky.yaml": {
        "no such command": "MN750",
        "endless": "MN720",
        "race by sleep": "MN719",
        "process list": "MN716",
        "echo hides the status": "MN712",
        "workers without --block": "MN758",
        "secret in argv": "MN783",
        "open dashboard": "MN761",
        "no brackets": "MN753",
        "backticks": "SC2006",
        "unquoted": "SC2086",
        "lines counted": "MN715",
        "no --num-gpus": "MN746",
        "no RAY_ADDRESS": "MN756",
        "meets SkyPilot's Ray": "MN769",
        "quotes vanish": "MN725",
        "counts typed twice": "MN745",
        "moving clone": "MN790",
        "installs everywhere": "MN791",
        "relative mount": "MN793",
        "no recovery": "MN797",
        "null secret": "MN792",
    },
    "newer.sky.yaml": {"two zeros": "MN714", "goes on after the last try": "MN721", "secret in argv": "MN783"},
    "cluster.dstack.yml": {
        "not YAML": "MN701",
        "no driver": "MN766",
        "no --block": "MN758",
        "no stop criteria": "MN795",
        "block without errexit": "MN796",
        "data on rank 0 only": "MN748",
        "fixed device list": "MN786",
        "checkpoints per instance": "MN797",
        "moving clone": "MN790",
        "pipeline as downloader": "MN789",
        "no brackets": "MN753",
    },
    "submit.sh": {
        "argument goes to tee": "MN713",
        "not exported": "MN756",
        "gap not filled in": "MN702",
        "no-wait into a log": "MN767",
        "undefined variable": "SC2154",
        "status lost": "MN710",
    },
    "Dockerfile.stable": {
        "one dash": "MN703",
        "undeclared variable": "MN704",
        "empty revision": "MN705",
        "moving clone": "MN790",
        "unchecked edit": "MN706",
        "secret": "MN784",
        "launcher's variable": "MN707",
        "no digest": "MN906",
    },
    "image.def": {"head": "MN708", "one dash": "MN703", "launcher's variable": "MN707"},
}


@pytest.mark.parametrize("name", INPUTS)
def test_every_known_defect_is_found(name: str) -> None:
    codes = {item.code for item in found(name)}
    assert {what: code for what, code in DEFECTS[name].items() if code not in codes} == {}


def test_findings_are_in_order_and_once() -> None:
    items = found("docker_job.sh")
    assert [item.span.line for item in items] == sorted(item.span.line for item in items)
    assert len(set(items)) == len(items)
    assert any(item.severity is Severity.ERROR for item in items)


PIPELINE = """\
# A pipeline.
name: two
---
name: first
resources: {accelerators: H100:8}
run: |
  echo one
---
name: second
resources: {accelerators: H100:8}
run: |
  %s
"""


def _told(text: str, file: str) -> list[tuple[str, int | None, str]]:
    return [(item.code, item.span.line, item.message) for item in check_foreign(text, file) if item.span]


@pytest.mark.parametrize("file", ["a.sky.yaml", "a.yaml"])
def test_each_task_of_a_pipeline_is_checked_where_it_stands(file: str) -> None:
    one = PIPELINE.split("---\n")[1]
    alone = {(code, message) for code, _, message in _told(one, file)}
    assert {(code, message) for code, _, message in _told(PIPELINE % "echo two", file)} == alone
    added = set(_told(PIPELINE % "ray stop --force", file)) - set(_told(PIPELINE % "echo two", file))
    assert added
    assert {line for _, line, _ in added} == {12}


def test_a_pipeline_with_a_broken_task_says_which() -> None:
    assert ("MN700", 4) in {
        (code, line) for code, line, _ in _told("name: x\n---\nrun: [\n---\nrun: a\n", "a.sky.yaml")
    }


def test_of_dstack_one_document_is_read() -> None:
    told = _told("type: task\n---\ntype: task\n", "a.dstack.yml")
    assert ("MN700", 2, "a second document begins here, and the client reads one of a file") in told
