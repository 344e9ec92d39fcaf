"""Task files of SkyPilot and dstack, read and checked as their clients do before anything starts.

What a client takes is a value here; what it refuses, or what nobody can play on one machine, is a ``UsageError``
that names the line. Read in SkyPilot 0.14.1 (``sky/task.py``) and dstack 0.22 (``core/models``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from msgspec import Struct, field

from mngen.checks.foreign.yaml_nodes import load
from mngen.checks.yaml_syntax import REPEATED, yaml_error
from mngen.errors import UsageError

RUN_ARGS = "${{ run.args }}"
"""Where dstack puts what follows ``dstack apply -- ``."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_URL = re.compile(r"[a-z0-9]+://")
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]")
_NAMES = "a map of variables to texts"


class Task(Struct, frozen=True, kw_only=True):
    """A task as its launcher runs it."""

    nodes: int
    files: Mapping[str, str | None] = field(default_factory=dict)
    """Places on the nodes, each with the local file or folder that is shown there; ``None`` for a bucket or volume."""
    env: Mapping[str, str] = field(default_factory=dict)
    """The variables that have a value."""
    wanted: Mapping[str, str] = field(default_factory=dict)
    """The variables without one, each with what gives it one."""
    commands: tuple[str, ...] = ()
    shell: str = "sh"
    image: str = "default"


def read_skypilot(text: str, name: str) -> Task:
    """Return what a SkyPilot task says; raises ``UsageError`` for what `sky launch` refuses."""
    read = _Reader(text, name)
    envs, secrets = read.variables("envs"), _secrets(read)
    given = {key: value for key, value in {**envs, **secrets}.items() if value is not None}
    wanted = {key: f"--env {key}" for key, value in envs.items() if value is None}
    wanted |= {key: f"--secret {key}" for key, value in secrets.items() if value is None}
    return Task(
        nodes=read.count("num_nodes"),
        files=dict(_mounts(read)),
        env=given,
        wanted=wanted,
        commands=(read.text("run", ""),),
    )


def read_dstack(text: str, name: str) -> Task:
    """Return what a dstack task says; raises ``UsageError`` for what `dstack apply` refuses."""
    read = _Reader(text, name)
    if "groups" in read.data:
        raise read.refused("is not played: every node of a rehearsal runs the same", "groups")
    listed = _listed(read) if isinstance(read.data.get("env"), list) else read.variables("env", empty=False)
    commands = read.items("commands", "a list of texts")
    for number, command in enumerate(commands):
        if not isinstance(command, str):
            raise read.refused("has to be a text", "commands", number)
        if "${{" in command.replace(RUN_ARGS, ""):
            raise read.refused(f"holds what dstack's server fills in; only {RUN_ARGS} is played", "commands", number)
    return Task(
        nodes=read.count("nodes"),
        files=dict(_mapped(read, number, item) for number, item in enumerate(read.items("files", "a list of files"))),
        env={key: value for key, value in listed.items() if value is not None},
        wanted={key: "the environment" for key, value in listed.items() if value is None},
        commands=tuple(commands),
        shell=read.text("shell", "sh"),
        image=read.text("image", "default"),
    )


class _Reader:
    """A file's data, and complaints about it that name the line."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        error = yaml_error(text)
        if error is not None and error.code != REPEATED:
            if "another document" in error.message:
                hint = "write the one to rehearse to a file of its own"
                raise UsageError(f"{name}, line {error.line}: this is a second document, another task", hint=hint)
            raise UsageError(f"{name}, line {error.line}: this is not YAML: {error.message}")
        data = yaml.safe_load(text)
        root = load(text)
        if root is None or not isinstance(data, dict):
            raise UsageError(f"{name} holds no task", hint="a task is a map, with `run` or `commands`")
        self.data, self.root = data, root

    def refused(self, why: str, *path: str | int) -> UsageError:
        """Build the error about what stands at a path of keys and numbers."""
        item = self.root
        for step in path:
            below = item.entries[step : step + 1] if isinstance(step, int) else (item.fields.get(step),)
            item = next((found for found in below if found is not None), item)
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
        return UsageError(f"{self.name}, line {item.line}: `{place}` {why}")

    def count(self, key: str) -> int:
        """Return a number of nodes."""
        value = self.data.get(key, 1)
        if type(value) is not int or value < 1:
            raise self.refused("has to be a number of nodes, 1 or more", key)
        return value

    def text(self, key: str, default: str) -> str:
        """Return a text, or what is taken without one."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, str):
            raise self.refused("has to be a text", key)
        return value or default

    def items(self, key: str, what: str) -> list[Any]:
        """Return a list; none is an empty one."""
        value = self.data.get(key) or []
        if not isinstance(value, list):
            raise self.refused(f"has to be {what}", key)
        return value

    def fields(self, key: str, what: str) -> dict[str, Any]:
        """Return a map with texts as keys; none is an empty one."""
        value = self.data.get(key) or {}
        if not isinstance(value, dict):
            raise self.refused(f"has to be {what}", key)
        for name in value:
            if not isinstance(name, str):
                raise self.refused(f"has to be {what}: {name!r} is no text", key, str(name))
        return value

    def variables(self, key: str, *, empty: bool = True) -> dict[str, str | None]:
        """Return the variables of a map; ``empty`` says whether one may be left without a value."""
        found: dict[str, str | None] = {}
        for name, value in self.fields(key, _NAMES).items():
            if not _NAME.fullmatch(name):
                raise self.refused("is no name of a variable", key, name)
            if isinstance(value, dict | list) or (value is None and not empty):
                raise self.refused("has to be a text", key, name)
            found[name] = None if value is None else str(value)
        return found


def _secrets(read: _Reader) -> dict[str, str | None]:
    """Return secrets: a map, or a list of names that the server knows."""
    if not isinstance(read.data.get("secrets"), list):
        return read.variables("secrets")
    for number, name in enumerate(read.data["secrets"]):
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise read.refused("is no name of a variable", "secrets", number)
    return dict.fromkeys(read.data["secrets"])


def _mounts(read: _Reader) -> Iterator[tuple[str, str | None]]:
    for target, source in read.fields("file_mounts", "a map of places to local files").items():
        if not target.startswith(("/", "~/")):
            raise read.refused("has to begin with / or ~/", "file_mounts", target)
        if target.endswith("/") or ".." in target.split("/"):
            raise read.refused("must not end with / or hold ..", "file_mounts", target)
        if not isinstance(source, str | dict):
            raise read.refused("has to be a local path, a bucket's address or a map", "file_mounts", target)
        yield target, None if isinstance(source, dict) or _URL.match(source) else source


def _listed(read: _Reader) -> dict[str, str | None]:
    """Return variables that are written as ``NAME=VALUE``, or ``NAME`` for one of the environment."""
    found: dict[str, str | None] = {}
    for number, item in enumerate(read.data["env"]):
        name, equals, value = str(item).partition("=")
        if not isinstance(item, str) or not _NAME.fullmatch(name):
            raise read.refused("has to be NAME=VALUE or NAME", "env", number)
        if name in found:
            raise read.refused(f"names {name} again", "env", number)
        found[name] = value if equals else None
    return found


def _mapped(read: _Reader, number: int, item: Any) -> tuple[str, str]:
    """Return the place of one of dstack's files, and the file: ``SOURCE:PLACE``, one word for both, or a map."""
    if isinstance(item, dict) and set(item) == {"local_path", "path"}:
        source, target = item["local_path"], item["path"]
    elif isinstance(item, str) and item.count(":") <= 1:
        source, _, target = item.partition(":")
        target = target or source
    else:
        source = target = None
    if not (isinstance(source, str) and isinstance(target, str) and source and target) or _WINDOWS.match(target):
        raise read.refused("has to be SOURCE:PLACE, or a map of local_path and path", "files", number)
    if ".." in target.split("/"):
        raise read.refused("has a place that holds .., which is not played", "files", number)
    return target, source
