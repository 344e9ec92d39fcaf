"""The documents of SkyPilot and dstack targets, field by field, and what is refused."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent))

import documents

NAMES = {"skypilot": "task.sky.yaml", "dstack": "task.dstack.yml"}
CASES = [(kind, name) for kind, cases in documents.TASKS.items() for name in cases]


def at(data: Any, path: str) -> Any:
    """Return what stands at a dotted path; keys may hold dots themselves."""
    if path in data:
        return data[path]
    for key in data:
        if path.startswith(f"{key}.") and isinstance(data[key], dict):
            return at(data[key], path.removeprefix(f"{key}."))
    return None


@pytest.mark.parametrize(("kind", "name"), CASES, ids=[f"{kind}: {name}" for kind, name in CASES])
def test_task(kind: str, name: str) -> None:
    fields, wanted = documents.TASKS[kind][name]
    task = yaml.safe_load(documents.files(kind, fields)[NAMES[kind]])
    assert {path: at(task, path) for path in wanted} == wanted


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "GPUs without a model": ("skypilot", {"resources": {"gpus": 8}}, "resources.gpus"),
    "a login that only the node knows": (
        "skypilot",
        {
            "resources": documents.H100,
            "env": {**dict.fromkeys(documents.LOGIN, "x"), documents.LOGIN[0]: "${{ env.USER }}"},
        },
        f"env.{documents.LOGIN[0]}",
    ),
    "raw secrets as a list": (
        "skypilot",
        {"resources": documents.H100, "secrets": {"A": {}}, "raw": {"secrets": ["secrets:B"]}},
        "raw.secrets",
    ),
    "a token from nowhere": ("skypilot", {"resources": documents.H100, "ray": {"auth": "token"}}, "ray.auth"),
    "one volume for two nodes": (
        "dstack",
        {"resources": documents.H100, "mounts": [{"source": "data", "target": "/data"}]},
        "mounts[0].source",
    ),
    "a shared volume": (
        "dstack",
        {
            "resources": documents.H100,
            "mounts": [{"source": "data-${{ node_rank }}", "target": "/data", "shared": True}],
        },
        "mounts[0].shared",
    ),
    "a relative path": (
        "dstack",
        {"resources": documents.H100, "mounts": [{"source": "some/data", "target": "/data"}]},
        "mounts[0].source",
    ),
    "raw files as text": ("dstack", {"resources": documents.H100, "raw": {"files": "x:/y"}}, "raw.files"),
    "raw mounts as nothing": ("skypilot", {"resources": documents.H100, "raw": {"file_mounts": []}}, "raw.file_mounts"),
    "a raw variable of two lines beside secrets": (
        "dstack",
        {"resources": documents.H100, "secrets": {"A": {}}, "raw": {"env": {"B": "x\ny"}}},
        "raw.env.B",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    kind, fields, path = REFUSED[name]
    _, found = documents.read(kind, fields)
    errors = [item for item in found if item.severity.value == "error"]
    assert [(item.code, item.message.split(" ")[0]) for item in errors] == [("MN252", path)]


ANY_TOKEN: list[dict[str, Any]] = [{}, {"version": "2.52.1"}, {"auth": "disabled"}, {"dashboard": {"enabled": False}}]
EXPOSED = [
    ({"version": "2.48.0"}, {}),
    *((ray, secrets) for ray in ANY_TOKEN for secrets in ({}, {"RAY_AUTH_TOKEN": {}})),
]
"""Ray and secrets; a Ray from before tokens takes none."""


@pytest.mark.parametrize(("ray", "secrets"), EXPOSED)
def test_what_the_hint_about_an_exposed_dashboard_says_is_valid(ray: Any, secrets: Any) -> None:
    fields = {"resources": documents.H100, "expose": [8265], "ray": ray, "secrets": secrets}
    _, found = documents.read("skypilot", fields)
    hint = next(item.hint for item in found if item.code == "MN216")
    written = [yaml.safe_load(text) for text in re.findall(r"(?:ray|secrets): \{[^ ].*?\}+(?= and|$| \()", hint)]
    assert ("remove" in hint) and ("secrets" in {key for one in written for key in one}) is (not secrets)
    for one in written:
        for name, value in one.items():
            fields[name] = {**fields[name], **value}
    _, after = documents.read("skypilot", fields)
    assert [(item.code, item.message) for item in after if item.severity.value == "error"] == []
    assert "MN216" not in {item.code for item in after}


def fleet(fields: dict[str, Any]) -> Any:
    found = documents.files("dstack", fields)
    return yaml.safe_load(found["fleet.dstack.yml"]) if "fleet.dstack.yml" in found else None


def test_the_fleet_rents_what_the_task_asks_for() -> None:
    fields = {"name": "a-name-that-is-nearly-as-long-as-allowed", "resources": {**documents.H100, "shm": "1G"}}
    assert fleet({**fields, "raw": {"backends": ["aws"], "spot_policy": "spot", "max_duration": "2d"}}) == {
        "type": "fleet",
        "name": "a-name-that-is-nearly-as-long-as-al-fleet",
        "nodes": "0..2",
        "placement": "cluster",
        "idle_duration": "30m",
        "backends": ["aws"],
        "spot_policy": "spot",
        "resources": {"gpu": "nvidia:H100:8"},
    }


def test_no_fleet_beside_fleets_of_the_users_own() -> None:
    assert fleet({"resources": documents.H100, "raw": {"fleets": ["mine"]}}) is None


def test_the_readme_hands_optional_secrets_over_where_they_are_set() -> None:
    secrets = {"WANDB_API_KEY": {}, "HF_TOKEN": {"required": False}}
    sky = documents.files("skypilot", {"resources": documents.H100, "secrets": secrets})["README.md"]
    assert "sky launch --cluster train --secret WANDB_API_KEY ${HF_TOKEN:+--secret=HF_TOKEN} task.sky.yaml" in sky
    dstack = documents.files("dstack", {"resources": documents.H100, "secrets": secrets})["README.md"]
    assert "dstack apply -f out/here/task.dstack.yml ${HF_TOKEN:+--env=HF_TOKEN}" in dstack


def test_the_boot_script_asks_for_no_variable_of_a_mount_that_is_left_out() -> None:
    mounts = [{"source": "${{ env.SCRATCH }}/hf", "target": "/hf"}]
    for kind in NAMES:
        assert "SCRATCH" not in documents.files(kind, {"resources": documents.H100, "mounts": mounts})["boot.sh"]


def test_comments_say_why() -> None:
    task = documents.files("dstack", {"resources": documents.H100})["task.dstack.yml"]
    above = task.splitlines()[task.splitlines().index("stop_criteria: master-done") - 1]
    assert above.startswith("# ")


LINES = (
    "rm -rf verl\n\ngit clone x\n  cd verl\n",
    "a\nb",
    "a \nb\n",
    " a\nb\n",
    "\na\n",
    "a\n\n\n",
    "a\tb\nc",
    "#\n- y\n",
    "\u2028\n",
)


@pytest.mark.parametrize("text", LINES)
def test_a_text_of_several_lines_is_a_block(text: str) -> None:
    task = documents.files("skypilot", {"resources": documents.H100, "raw": {"setup": text}})["task.sky.yaml"]
    assert yaml.safe_load(task)["setup"] == text
    if text == LINES[0]:
        assert "setup: |\n  rm -rf verl\n\n  git clone x\n    cd verl\n" in task


def test_what_is_said_of_shared_memory_stands_where_the_manifest_asks_for_it() -> None:
    raw = {"config": {"docker": {"run_options": ["--cap-add=SYS_PTRACE"]}, "kubernetes": {"pod_config": {}}}}
    for shm, times in (({}, 0), ({"shm": "64G"}, 1)):
        task = documents.files("skypilot", {"resources": {**documents.H100, **shm}, "raw": raw})["task.sky.yaml"]
        assert "SYS_PTRACE" in task
        assert task.count("# On virtual machines") == task.count("# The same on Kubernetes") == times


def test_what_dstack_leaves_out_of_an_uploaded_folder_is_said() -> None:
    _, found = documents.read("dstack", {"resources": documents.H100, "code": {"path": "."}})
    (said,) = [item for item in found if item.code == "MN251" and item.message.startswith("code.path")]
    for what in (".gitignore", ".dstackignore", "2 MB", "link to a folder outside of it"):
        assert what in said.message
