"""What a launch file expects to find on its nodes: folders, files, variables, an image."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from mngen.rehearse.settings import WORD, command_words, filled, made_up, needed_variables, setting, unquoted

HOME, SUBMIT = "~", "@"
"""What paths of a `Needs` begin with that lie in the user's home, or where the job is submitted."""

_CHDIR = re.compile(rf"^#SBATCH --chdir={WORD}$", re.MULTILINE)
_WORKDIR = re.compile(rf"^\s*cd {WORD} \|\| fail 78", re.MULTILINE)
_SECRET_FILE = re.compile(rf"^\s*(?:read_secret \S+|install -m 600) {WORD}", re.MULTILINE)
_RUNTIME_ENV = re.compile(rf"--runtime-env[= ]{WORD}")
_RUNTIME_ENV_JSON = re.compile(rf"--runtime-env-json[= ]{WORD}")
_LINKED = re.compile(rf"^\s*\{{ mkdir -p {WORD} && ln -sfnT {WORD} {WORD}; \}}", re.MULTILINE)
_ENV_FILE = re.compile(rf"^\s*read_env_file {WORD}$", re.MULTILINE)
_MOUNTING = ("--bind", "--volume", "-v", "-B", "--container-mounts")
_NOTHING = "{}\n"
"""A runtime environment that says nothing."""
_VERBS = "/dev/infiniband/uverbs0"
_CONTAINER = re.compile(
    r"\b(?:docker|podman) run\b|\b(?:apptainer|singularity) (?:exec|run|shell)\b|--container-image="
)


class Needs(Struct, kw_only=True):
    """What is made before a launch file runs."""

    contained: bool = False
    """Whether the work runs in a container, so that the nodes have no Ray themselves."""
    pyxis: bool = False
    """Whether Slurm itself starts the container."""
    secrets: tuple[str, ...] = ()
    """Names of the secrets that the submitting shell has."""
    variables: dict[str, str] = field(default_factory=dict)
    """Values for the variables of the site."""
    paths: dict[str, str | None] = field(default_factory=dict)
    """Folders (None) and files (their text) that nodes have."""
    writable: list[str] = field(default_factory=list)
    """Folders in which nodes can write beside what is there."""
    links: tuple[str, ...] = ()
    """Places where the job makes links, and so nothing is."""
    env_files: tuple[str, ...] = ()
    """Files of variables, as the nodes or the image have them: empty ones."""
    image: dict[str, Any] = field(default_factory=lambda: {"folders": [], "files": {}})
    """The image's folders and files."""
    devices: tuple[str, ...] = ()
    """Device files beside those of the GPUs."""
    rdma: tuple[dict[str, str], ...] = ()
    """Ports of the fabric, as the kernel shows them."""


def needs(scripts: Iterable[str], *, prefixed: bool) -> Needs:
    """Read the scripts of a target; ``prefixed`` when a site's own command enters the image."""
    found = Needs()
    for text in scripts:
        found.contained = found.contained or prefixed or bool(_CONTAINER.search(text))
        found.pyxis = found.pyxis or "--container-image" in text
        found.secrets = tuple(dict.fromkeys((*found.secrets, *setting(text, "SECRETS"))))
        for name in needed_variables(text):
            found.variables.setdefault(name, os.environ.get(name) or made_up(text, name))
        _paths(found, text)
    return found


def _paths(found: Needs, text: str) -> None:
    values = {"HOME": HOME, "HOST_HOME": HOME, "SUBMIT_DIR": SUBMIT, "PWD": SUBMIT, **found.variables}
    mounts = list(_mounts(text, values))
    for source, _ in mounts:
        found.paths.setdefault(source, None)
    linked = _linked(text)
    found.paths.update(dict.fromkeys(linked.values()))
    if not found.contained:
        found.links = tuple(dict.fromkeys((*found.links, *(path for path in linked if path.startswith("/")))))
        found.writable += [str(PurePosixPath(path).parent) for path in linked if path.startswith("/")]
    for path in _chdir(text):
        found.paths.update({path: None, f"{path}/logs": None})
    for place, kind in _places(text, values):
        if kind is not None:
            found.env_files = tuple(dict.fromkeys((*found.env_files, place)))
        if found.contained:
            _in_image(found, mounts, place, kind)
        else:
            found.paths[place] = kind
    _runtime_envs(found, text, values, mounts)
    found.paths.update(_files(text, values))
    _fabric(found, text)


def _runtime_envs(found: Needs, text: str, values: Mapping[str, str], mounts: list[tuple[str, str]]) -> None:
    """Make what a runtime environment names where the driver finds it: relative paths begin where it starts."""
    starts = [place for place, kind in _places(text, values) if kind is None]
    starts = starts or [*_chdir(text), SUBMIT, *(("/",) if found.contained else ())]
    linked = _linked(text)
    for name, kind in _of_runtime_env(text, values):
        for start in starts:
            path = _behind(str(PurePosixPath(start, name)), linked)
            if found.contained and not path.startswith(SUBMIT):
                _in_image(found, mounts, path, kind)
            else:
                found.paths[path] = kind


def _of_runtime_env(text: str, values: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """Yield its file, or the folder that it sends to the cluster."""
    for word in _RUNTIME_ENV.findall(text):
        if name := filled(unquoted(word), values):
            yield name, _NOTHING
    for word in _RUNTIME_ENV_JSON.findall(text):
        try:
            data = json.loads(unquoted(word))
        except ValueError:  # of a file written by hand, which bash may fill in
            continue
        name = data.get("working_dir") if isinstance(data, dict) else None
        if isinstance(name, str) and name and "://" not in name:
            yield name, "" if name.endswith((".zip", ".jar", ".whl")) else None


def _fabric(found: Needs, text: str) -> None:
    """Give the nodes what a fabric's check, or a container's options, look for."""
    if "/dev/infiniband" in text:
        layer = next(iter(setting(text, "LINK_LAYER")), "InfiniBand")
        found.devices, found.rdma = (_VERBS,), ({"state": "4: ACTIVE", "link_layer": layer},)
    elif "/dev/cxi" in text:
        found.devices = ("/dev/cxi0",)


def _files(text: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield files of secrets and of images, with what is in them."""
    for word in _SECRET_FILE.findall(text):
        if path := filled(unquoted(word), values):
            yield path, "rehearsal"
    for words in command_words(text):
        for word in words:
            path = filled(word.partition("=")[2] if word.startswith("--") else word, values) or ""
            if path.startswith(("/", f"{HOME}/")) and path.endswith((".sif", ".sqsh")):
                yield path, ""


def _mounts(text: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for words in command_words(text):
        for flag, value in _options(words):
            for item in value.split(",") if flag == "--container-mounts" else [value]:
                source, _, target = item.partition(":")
                source = filled(source, values) or ""
                if source.startswith(("/", HOME, SUBMIT)) and not source.startswith(("/tmp", "/dev/")):
                    yield source, (filled(target.partition(":")[0], values) or "") or source


def _options(words: list[str]) -> Iterator[tuple[str, str]]:
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in _MOUNTING:
            yield name, value if equals else "".join(words[place + 1 : place + 2])


def _places(text: str, values: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    linked = _linked(text)
    for pattern, kind in ((_WORKDIR, None), (_ENV_FILE, "")):
        for word in pattern.findall(text):
            path = filled(unquoted(word), values)
            if path and path.startswith(("/", HOME, SUBMIT)):
                yield _behind(path, linked), kind


def _linked(text: str) -> dict[str, str]:
    """Return the links that the job makes itself, each with the folder that it leads to."""
    return {unquoted(path): unquoted(source) for _, source, path in _LINKED.findall(text)}


def _behind(path: str, linked: Mapping[str, str]) -> str:
    """Return where a path leads that is one of these links, or lies below one."""
    for link, source in linked.items():
        if path == link or path.startswith(f"{link}/"):
            return source + path.removeprefix(link)
    return path


def _chdir(text: str) -> list[str]:
    return [path for path in map(unquoted, _CHDIR.findall(text)) if path.startswith("/")]


def _in_image(found: Needs, mounts: list[tuple[str, str]], place: str, kind: str | None) -> None:
    """Make a place inside the image, and below whatever is mounted over it."""
    if kind is None:
        found.image["folders"].append(place)
    else:
        found.image["files"][place] = kind
    if place.startswith(HOME):
        found.paths[place] = kind  # a container client may show the user's home
    for source, target in mounts:
        if place.startswith(f"{target.rstrip('/')}/"):
            found.paths[source + place.removeprefix(target.rstrip("/"))] = kind
