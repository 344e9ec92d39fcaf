"""A file that knows who runs it asks for no rank, and has nothing for others."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from mngen import targets
from mngen.manifest.load import LoadOptions, load
from mngen.render import render

IMAGE = {"image": {"ref": "a/b:1"}}
FIELDS: dict[str, Any] = {
    "apiVersion": "mngen/v1",
    "name": "one",
    "resources": {"nodes": 1, "gpus": 2},
    "driver": {"command": ["p", "${{ services.judge.port }}"]},
    "prepare": [
        {"run": "true", "on": "head", "when": "before-ray"},
        {"run": "false", "on": "every-node", "when": "before-ray"},
    ],
    "services": {
        "judge": {"command": ["judge"], "port": "auto", "on": "head", "ready": {"tcp": True}},
        "data": {"command": ["data"], "port": 9000, "on": "every-node", "ready": {"tcp": True}},
    },
    "logs": {"ray_session": "on-failure"},
}
KINDS = {
    **{
        f"slurm-{runtime}": {"kind": "slurm", "runtime": runtime, **IMAGE}
        for runtime in ("apptainer", "docker", "pyxis")
    },
    "slurm-none": {"kind": "slurm"},
    "manual-none": {"kind": "manual"},
    "manual-docker": {"kind": "manual", "runtime": "docker", **IMAGE},
    "skypilot": {"kind": "skypilot"},
    "dstack": {"kind": "dstack", **IMAGE},
}
RANK = re.compile(r"\(\([^)]*NODE_RANK")


def files(target: dict[str, Any], nodes: int) -> dict[str, str]:
    text = yaml.safe_dump({**FIELDS, "resources": {"nodes": nodes, "gpus": 2}, "targets": {"job": target}})
    loaded = load(text, "manifest.yaml", LoadOptions())
    assert loaded.manifest is not None, loaded.diagnostics
    made = render(targets.plan(loaded.manifest), digest="").files
    return {file.path: file.text for file in made if file.path.endswith((".sh", ".sbatch"))}


@pytest.mark.parametrize("kind", KINDS)
def test_a_job_of_one_node_asks_for_no_rank(kind: str) -> None:
    scripts = {path: text for path, text in files(KINDS[kind], 1).items() if "start_part judge" in text}
    assert scripts
    assert [path for path, text in scripts.items() if RANK.search(text)] == []
    assert not any("worker" in path for path in scripts)


@pytest.mark.parametrize("kind", ["manual-none", "manual-docker"])
def test_machines_started_by_hand_know_their_rank(kind: str) -> None:
    made = files(KINDS[kind], 3)
    head, worker = made["job/head.sh"], made["job/worker.sh"]
    assert not RANK.search(head)
    assert not RANK.search(worker)
    assert "start_part judge" in head
    assert "start_part data" in head
    assert "start_part data" in worker
    assert not re.search("judge|_driver", worker, re.IGNORECASE), "what only the head runs"
    assert "prepare_1" not in worker


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("manual")])
def test_a_file_for_all_nodes_asks(kind: str) -> None:
    scripts = [text for text in files(KINDS[kind], 2).values() if "start_part judge" in text]
    assert scripts
    assert all(RANK.search(text) for text in scripts)
