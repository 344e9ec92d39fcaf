"""What a launch file expects to find on its nodes: folders, files, variables, an image."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from mngen.rehearse.settings import command_words, filled, made_up, needed_variables, setting

HOME, SUBMIT = "~", "@"
"""What paths of a `Needs` begin with that lie in the user's home, or where the job is submitted."""

_CHDIR = re.compile(r"^#SBATCH --chdir=(/\S+)$", re.MULTILINE)
_WORKDIR = re.compile(r"^\s*cd (\S+) \|\| fail 78", re.MULTILINE)
_SECRET_FILE = re.compile(r"^\s*(?:read_secret \S+|install -m 600) (\S+)", re.MULTILINE)
_RUNTIME_ENV = re.compile(r"--runtime-env=([\w./-]+)")
_LINKED = re.compile(r"^\s*\{ mkdir -p \S+ && ln -sfnT (\S+) (\S+); \}", re.MULTILINE)
_ENV_FILE = re.compile(r"^\s*read_env_file (\S+)$", re.MULTILINE)
_MOUNTING = ("--bind", "--volume", "-v", "-B", "--container-mounts")
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
    linked = {path: source for source, path in _LINKED.findall(text)}
    found.paths.update(dict.fromkeys(linked.values()))
    if not found.contained:
        found.writable += [str(PurePosixPath(path).parent) for path in linked if path.startswith("/")]
    for path in _CHDIR.findall(text):
        found.paths.update({path: None, f"{path}/logs": None})
    for place, kind in _places(text, values):
        if place in linked:
            continue
        if kind is not None:
            found.env_files = tuple(dict.fromkeys((*found.env_files, place)))
        if found.contained:
            _in_image(found, mounts, place, kind)
        else:
            found.paths[place] = kind
    found.paths.update(_files(text, values))
    _fabric(found, text)


def _fabric(found: Needs, text: str) -> None:
    """Give the nodes what a fabric's check, or a container's options, look for."""
    if "/dev/infiniband" in text:
        layer = next(iter(setting(text, "LINK_LAYER")), "InfiniBand")
        found.devices, found.rdma = (_VERBS,), ({"state": "4: ACTIVE", "link_layer": layer},)
    elif "/dev/cxi" in text:
        found.devices = ("/dev/cxi0",)


def _files(text: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield files of secrets, of runtime environments and of images, with what is in them."""
    for word in _SECRET_FILE.findall(text):
        if path := filled(word.strip("\"'"), values):
            yield path, "rehearsal"
    for name in _RUNTIME_ENV.findall(text):
        yield name if name.startswith("/") else f"{SUBMIT}/{name}", "{}\n"
    for words in command_words(text):
        for word in words:
            path = filled(word.partition("=")[2] if word.startswith("--") else word, values) or ""
            if path.startswith("/") and path.endswith((".sif", ".sqsh")):
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
    for pattern, kind in ((_WORKDIR, None), (_ENV_FILE, "")):
        for word in pattern.findall(text):
            path = filled(word.strip("\"'"), values)
            if path and path.startswith(("/", HOME, SUBMIT)):
                yield path, kind


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
