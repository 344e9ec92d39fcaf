"""A job's runtime environment: read as `ray job submit` reads it, and its variables as the job's process gets them."""

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simlib.options import Parsed, RefusedError
from simlib.place import Sim

_VARIABLE = re.compile(r"\$(\w+|\{[^}]*\})", re.ASCII)
_UNKNOWN = re.compile(r"\$\{[A-Z0-9_]+\}")


def read(sim: Sim, parsed: Parsed) -> dict[str, Any]:
    """The runtime environment that the options give (`parse_runtime_env_args` in Ray's cli_utils.py)."""
    if parsed.has("runtime-env") and parsed.has("runtime-env-json"):
        raise RefusedError("ValueError: Only one of --runtime_env and --runtime-env-json can be provided.")
    found: Any = {}
    if parsed.has("runtime-env"):
        found = _yaml(sim, parsed.last("runtime-env") or "")
    elif parsed.has("runtime-env-json"):
        found = json.loads(parsed.last("runtime-env-json") or "")
    if not isinstance(found, dict):
        raise RefusedError(f"TypeError: a runtime_env must be a mapping, not {type(found).__name__}")
    if parsed.has("working-dir"):
        found["working_dir"] = parsed.last("working-dir")
    _check(found.get("env_vars"))
    if found.get("working_dir"):
        found["working_dir"] = _sent(str(found["working_dir"]))
    return found


def _sent(folder: str) -> str:
    """The folder, or archive, that Ray sends to the cluster; one that has an address it fetches from there."""
    if "://" in folder:
        return folder
    if not os.path.exists(folder):
        raise RefusedError(f"ValueError: directory {folder} must be an existing directory or a zip package")
    return os.path.abspath(folder)


def folder(working_dir: str | None, logs: Path) -> str | None:
    """Where a job with this runtime environment begins: archives and addresses lead to an empty folder here."""
    if not working_dir or os.path.isdir(working_dir):
        return working_dir or None
    made = logs.parent / "runtime_resources" / os.urandom(4).hex()
    made.mkdir(parents=True)
    return str(made)


def _yaml(sim: Sim, name: str) -> Any:
    """A file's content."""
    sys.path.append(str(sim.root / "packages"))
    import yaml

    with open(name) as file:
        try:
            return yaml.safe_load(file) or {}
        except yaml.YAMLError as error:
            raise RefusedError(f"yaml.{type(error).__name__}: {error}") from error


def _check(env_vars: Any) -> None:
    """Refuse what is no map of texts to texts (`parse_and_validate_env_vars` in Ray's runtime_env/validation.py)."""
    must = "TypeError: runtime_env['env_vars'] must be of type Dict[str, str]"
    if env_vars is not None and not isinstance(env_vars, dict):
        raise RefusedError(f"{must}, got {type(env_vars)}")
    for name, value in (env_vars or {}).items():
        if not isinstance(name, str):
            raise RefusedError(f"{must}, but the key {name} is of type {type(name)}")
        if not isinstance(value, str):
            raise RefusedError(f"{must}, but the value {value} is of type {type(value)}")


def updated(base: Mapping[str, str], env_vars: Mapping[str, str]) -> dict[str, str]:
    """What `update_envs` of Ray's utils.py makes of a process' environment, one variable after the other.

    `os.path.expandvars` fills in what is set, also by a variable before; then `${NAME}` of capitals is removed.
    """
    env = dict(base)
    for name, value in env_vars.items():
        env[name] = _UNKNOWN.sub("", _expanded(value, env))
    return env


def _expanded(text: str, env: Mapping[str, str]) -> str:
    """`os.path.expandvars` with another environment than this process': what is not set stays as it is."""
    return _VARIABLE.sub(lambda match: env.get(match[1].strip("{}"), match[0]), text)
