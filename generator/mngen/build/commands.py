"""The command lines that build and push an image, as data; nothing runs here."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mngen.images import order
from mngen.manifest.image import Image

BUILDERS = ("auto", "buildx", "docker", "podman")

_OF_IMAGE = {"buildkit": "buildx", "podman": "podman", "classic": "docker"}
"""Which builder has what a file rendered for ``image.builder`` uses."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its words, and the variables that it needs beside those of the process."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The command as one would type it."""
        return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in self.env.items()), shlex.join(self.argv)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One image to build: its Dockerfile, the folder sent as context, and where build secrets come from."""

    image: Image
    dockerfile: str
    context: str
    builder: str = "auto"
    push: bool = False
    secrets: Mapping[str, str] = field(default_factory=dict)
    """By id, what follows ``id=ID,``: ``src=FILE`` or ``env=NAME``."""


def secret_ids(image: Image) -> tuple[str, ...]:
    """Return the ids of all build secrets that an image's steps read."""
    found = [name for stage in order.recipe(image).stages for name in order.layer_secrets(stage.layers)]
    return tuple(dict.fromkeys(found))


def commands(job: Job) -> tuple[Command, ...]:
    """Return what builds an image, in order."""
    builder = _OF_IMAGE[job.image.builder] if job.builder == "auto" else job.builder
    return {"buildx": _buildx, "docker": _docker, "podman": _podman}[builder](job)


def _buildx(job: Job) -> tuple[Command, ...]:
    # A builder in a container keeps its result to itself unless told where it goes:
    # https://docs.docker.com/build/builders/drivers/
    result = "--push" if job.push else "--load"
    return (Command(("docker", "buildx", "build", *_options(job), result, job.context)),)


def _docker(job: Job) -> tuple[Command, ...]:
    env = {"DOCKER_BUILDKIT": "0"} if job.image.builder == "classic" else {}
    return _with_push(job, Command(("docker", "build", *_options(job), job.context), env))


def _podman(job: Job) -> tuple[Command, ...]:
    # Podman's own image format has no SHELL, and it looks for the ignore file in the context alone:
    # https://docs.podman.io/en/latest/markdown/podman-build.1.html
    own = ("--format", "docker", "--ignorefile", f"{job.dockerfile}.dockerignore")
    return _with_push(job, Command(("podman", "build", *own, *_options(job), job.context)))


def _with_push(job: Job, build: Command) -> tuple[Command, ...]:
    push = Command((build.argv[0], "push", job.image.reference))
    return (build, push) if job.push else (build,)


def _options(job: Job) -> Sequence[str]:
    options = ["--file", job.dockerfile, "--tag", job.image.reference]
    if job.image.platform:
        options += ["--platform", job.image.platform]
    for name in secret_ids(job.image):
        options += ["--secret", f"id={name},{job.secrets.get(name, 'src=FILE')}"]
    return options
