"""Loads task and fleet files with dstack itself; runs in the client's own environment, without network.

Reads a JSON list of {name, text, arguments} and writes a JSON list of {name, error, seen}.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import yaml
from dstack._internal.cli.services.configurators.run import TaskConfigurator
from dstack._internal.core.models.configurations import TaskConfiguration, parse_apply_configuration
from dstack._internal.core.services import validate_dstack_resource_name
from dstack.version import __version__


def load(text: str, arguments: list[str]) -> tuple[object, list[str]]:
    """Return the configuration, and its commands as `dstack apply … -- ARGUMENTS` sends them."""
    found = parse_apply_configuration(yaml.safe_load(text))
    found = getattr(found, "root", found)
    validate_dstack_resource_name(found.name)
    commands = list(getattr(found, "commands", []))
    if isinstance(found, TaskConfiguration):
        TaskConfigurator._interpolate_commands(None, commands, argparse.Namespace(run_args=arguments))
    return found, commands


def seen(found: object, commands: list[str]) -> dict:
    """Return what the client understood."""
    resources = found.resources
    return {
        "type": found.type,
        "nodes": found.nodes if isinstance(found.nodes, int) else found.nodes.max,
        "gpus": resources.gpu.count.min,
        "vendor": resources.gpu.vendor and resources.gpu.vendor.value,
        "memory": float(resources.memory.min),
        "image": getattr(found, "image", None),
        "commands": commands,
        "paths": [entry.local_path for entry in getattr(found, "files", [])],
        "env": sorted(getattr(found, "env", {})),
    }


def judge(item: dict) -> dict:
    """Load one file."""
    try:
        return {"name": item["name"], "error": None, "seen": seen(*load(item["text"], item["arguments"]))}
    except Exception as error:  # noqa: BLE001 - whatever a client raises is its refusal
        return {"name": item["name"], "error": f"{type(error).__name__}: {error}", "seen": None}


if __name__ == "__main__":
    source, target = (Path(argument) for argument in sys.argv[1:])
    found = [judge(item) for item in json.loads(source.read_text())]
    target.write_text(json.dumps({"version": __version__, "files": found}))
