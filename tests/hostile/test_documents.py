"""Documents for other systems: a YAML reader gets every text back, also those that are not mngen's own."""

import json

import pytest
import yaml
from files import rendered
from packed import DRIVER, HEAD, counted, sort
from values import pool

TARGETS = {
    "skypilot": ({"kind": "skypilot"}, "raw", "envs", "task.sky.yaml"),
    "dstack": ({"kind": "dstack", "image": {"ref": "example/image:1"}}, "raw", "env", "task.dstack.yml"),
}


@pytest.mark.parametrize("kind", TARGETS)
def test_a_raw_block_is_read_back(kind: str) -> None:
    fields, block, key, name = TARGETS[kind]
    rest = "".join(f"    {field}: {json.dumps(value)}\n" for field, value in fields.items())
    head = f"{HEAD}{DRIVER}targets:\n  job:\n{rest}    {block}:\n      {key}:\n"
    # Nothing in a raw block is a placeholder, so nothing is doubled either.
    found = sort(pool(), head, lambda number, text: f"        V{number}: {text.replace('$${{', '${{')}", "")
    counted(f"raw text, {kind}", pool(), found.refused)
    document = yaml.safe_load(rendered(found.manifest)[f"job/{name}"])
    accepted = set(found.accepted)
    meant = {f"V{number}": value for number, value in enumerate(pool()) if value in accepted}
    assert document[key] == meant


def test_a_runtime_environment_is_read_back() -> None:
    head = HEAD + "driver:\n  command: [sim-driver]\n  submit: ray-job\n  from: outside\n  wait: false\n"
    head += "  runtime_env:\n    env_vars:\n"
    found = sort(pool(), head, lambda number, text: f"      V{number}: {text}", "targets: {job: {kind: manual}}\n")
    counted("runtime_env variable", pool(), found.refused)
    document = yaml.safe_load(rendered(found.manifest)["job/runtime_env.yaml"])
    assert list(document["env_vars"].values()) == list(found.accepted)


PATHS = [f"/p{number}/{value}" for number, value in enumerate(pool())]


def test_folders_of_instances_are_read_back() -> None:
    target = {"kind": "dstack", "image": {"ref": "example/image:1"}}
    tail = f"targets: {json.dumps({'job': target})}\n"
    head = HEAD + DRIVER + "mounts:\n"
    found = sort(PATHS, head, lambda _, text: f"  - {{source: {text}, target: {text}}}", tail)
    counted("folder of a dstack instance", PATHS, found.refused, accepted=900)
    document = yaml.safe_load(rendered(found.manifest)["job/task.dstack.yml"])
    assert [parts(item) for item in document["volumes"]] == [(path, path) for path in found.accepted]


def parts(item: str | dict[str, str]) -> tuple[str, str]:
    """Source and target of a volume: `_split_mount_point` in dstack's core wants exactly one colon in a text."""
    if isinstance(item, str):
        source, target = item.split(":")
        return source, target
    return item["instance_path"], item["path"]


def test_copied_folders_are_read_back() -> None:
    paths = PATHS
    head = HEAD + DRIVER + "mounts:\n"
    target = {"kind": "skypilot"}
    tail = f"targets: {json.dumps({'job': target})}\n"
    found = sort(paths, head, lambda _, text: f"  - {{source: {text}, target: {text}}}", tail)
    counted("folder that SkyPilot copies", paths, found.refused, accepted=900)
    document = yaml.safe_load(rendered(found.manifest)["job/task.sky.yaml"])
    mounts = {target: source for target, source in document["file_mounts"].items() if target.startswith("/p")}
    assert mounts == {path: path for path in found.accepted}
