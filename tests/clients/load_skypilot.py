"""Loads task files with SkyPilot itself; runs in the client's own environment, without network.

Reads a JSON list of {name, text, secrets} and writes a JSON list of {name, error, seen}.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import sky
import sky.jobs.recovery_strategy  # registers the strategies that job_recovery may name
import yaml
from sky.skylet import log_lib
from sky.utils import schemas

# Else the client leaves keys that it does not know in job_recovery and config for its server to judge.
schemas._allow_additional_properties = lambda: False


def load(text: str, secrets: list[str]) -> sky.Task:
    """Return the task as `sky launch` would make it, with a value for each secret."""
    overrides = [(name, "value") for name in secrets]
    task = sky.Task.from_yaml_config(yaml.safe_load(text), secrets_overrides=overrides or None)
    task.validate_name()
    task.validate_run()
    for resources in task.resources:
        resources._try_validate_managed_job_attributes()
    return task


def seen(task: sky.Task) -> dict:
    """Return what the client understood."""
    resources = next(iter(task.resources))
    return {
        "nodes": task.num_nodes,
        "gpus": sum((resources.accelerators or {}).values()),
        "image": next(iter((resources.image_id or {}).values()), None),
        "memory": resources.memory,
        "run": task.run,
        "script": log_lib.make_task_bash_script(task.run, {"SKYPILOT_NODE_RANK": "0"}),
        "paths": [path for path in (task.workdir, *(task.file_mounts or {}).values()) if isinstance(path, str)],
        "secrets": sorted(task.secrets),
    }


def judge(item: dict) -> dict:
    """Load one file."""
    try:
        return {"name": item["name"], "error": None, "seen": seen(load(item["text"], item["secrets"]))}
    except Exception as error:  # noqa: BLE001 - whatever a client raises is its refusal
        return {"name": item["name"], "error": f"{type(error).__name__}: {error}", "seen": None}


if __name__ == "__main__":
    source, target = (Path(argument) for argument in sys.argv[1:])
    found = [judge(item) for item in json.loads(source.read_text())]
    target.write_text(json.dumps({"version": sky.__version__, "files": found}))
