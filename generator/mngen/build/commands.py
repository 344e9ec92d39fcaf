"""The command lines of the builders, as data; nothing runs here."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from msgspec import Struct, field
from msgspec.structs import replace

from mngen.build import platforms
from mngen.build.job import Job, secret_ids, tested_ids
from mngen.images import dockerfile
from mngen.images.fetching import SECRETS


class Command(Struct, frozen=True):
    """One command: its words, and the variables that it needs beside those of the process."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    input: tuple[str, ...] = ()
    """The words of a command whose output it reads."""

    @property
    def text(self) -> str:
        """The command as one would type it."""
        before = [shlex.join(self.input), "|"] if self.input else []
        variables = (f"{name}={shlex.quote(value)}" for name, value in self.env.items())
        return " ".join([*before, *variables, shlex.join(self.argv)])


def commands(job: Job, builder: str, *, sif: bool = False) -> tuple[Command, ...]:
    """Return what builds (and pushes) an image, and a SIF of it, in order, as one would type it."""
    made: tuple[Command, ...]
    match builder:
        case "buildx":
            made = (buildx(job),)
        case "podman":
            made = (podman(job), *(push("podman", one) for one in job.references if job.push))
        case "apptainer":
            here = Path(job.context) == Path()
            return (apptainer(job, _path(job.sif, here=here)),)
        case _:
            made = (classic(job), *(push("docker", one) for one in job.references if job.push))
    return (*made, *_converted(job, builder)) if sif else made


def _converted(job: Job, builder: str) -> tuple[Command, ...]:
    """Return what makes a SIF of the image: from its registry, else from the engine that built it.

    A build by mngen adds the image's self-test, and names what was pushed by its digest.
    """
    name = job.image.reference
    if job.push:
        return (apptainer(job, job.sif, f"docker://{name}"),)
    if builder == "podman":
        archive = f"{job.sif.removesuffix('.sif')}.tar"
        save = ("podman", "save", "--quiet", "--format", "oci-archive", "--output", archive, name)
        return (Command(save), apptainer(job, job.sif, f"oci-archive:{archive}"))
    return (apptainer(job, job.sif, f"docker-daemon:{name}"),)


def buildx(job: Job, *more: str) -> Command:
    """Return the build by BuildKit; a push is part of it."""
    # A builder in a container keeps its result to itself unless told where it goes:
    # https://docs.docker.com/build/builders/drivers/
    options = [*_options(job), *_secrets(job)]
    for name, values in (("--cache-to", job.cache_to), ("--cache-from", job.cache_from)):
        options += [word for value in values for word in (name, value)]
    env = {"SOURCE_DATE_EPOCH": job.epoch} if job.epoch else {}
    result = "--push" if job.push else "--load"
    return Command(("docker", "buildx", "build", *more, *options, result, job.context), env)


def classic(job: Job) -> Command:
    """Return the build by Docker's classic builder; the Python SDK speaks to the same one.

    Given a folder, it is sent all of it: the one ignore file that it reads is the folder's own, not the one beside
    the Dockerfile (https://docs.docker.com/build/concepts/context/#filename-and-location). So it is given an archive.
    """
    cache = [word for value in job.cache_from for word in ("--cache-from", value)]
    folder = () if Path(job.context) == Path() else ("-C", job.context)
    copied = (*folder, *sources) if (sources := dockerfile.sources(job.image)) else ()
    place = job.dockerfile
    if PurePath(place).is_absolute() or ".." in PurePath(place).parts:
        # tar takes the beginning of such a name away.
        place = str(Path(place).resolve()).lstrip("/")
        archive = ("tar", "-cf", "-", *copied, "-C", "/", place)
    else:
        archive = ("tar", "-cf", "-", place, *copied)
    options = _options(replace(job, dockerfile=place))
    return Command(("docker", "build", *options, *cache, "-"), {"DOCKER_BUILDKIT": "0"}, archive)


def podman(job: Job) -> Command:
    """Return the build by podman.

    Its own image format has no SHELL, and it looks for the ignore file in the context alone:
    https://docs.podman.io/en/latest/markdown/podman-build.1.html
    """
    own = ["--format", "docker", "--ignorefile", f"{job.dockerfile}.dockerignore"]
    for name, values in (("--cache-to", job.cache_to), ("--cache-from", job.cache_from)):
        own += [word for value in values for word in (name, value)]
    if job.epoch:
        own += ["--timestamp", job.epoch]
    return Command(("podman", "build", *own, *_options(job), *_secrets(job), job.context))


def push(program: str, reference: str, *more: str) -> Command:
    """Return the push of one name."""
    return Command((program, "push", *more, reference))


def apptainer(job: Job, sif: str, source: str | None = None, *, tests: bool = False) -> Command:
    """Return the build of a SIF, from the image's definition file unless another source is given.

    That is an image, or the absolute path of another definition file, which ``tests`` the image.
    Sources of files in a definition are looked up from where the command runs, which is the manifest's folder. All
    other names are those of files seen from here, and so written in full where that is another folder.
    """
    arch = platforms.of_apptainer(job.platform or job.image.platform)
    if source is not None:
        binds = _binds(job, tested_ids(job.image) if tests else ())
        return Command(("apptainer", "build", "--force", *arch, *binds, sif, source))
    here = Path(job.context) == Path()
    binds = _binds(job, secret_ids(job.image))
    words = ("apptainer", "build", "--force", *arch, *binds, sif, _path(job.definition, here=here))
    return Command(words if here else ("env", "-C", job.context, *words))


def _binds(job: Job, names: Sequence[str]) -> Sequence[str]:
    """Return the options that show build secrets; %post and %test are started in ``/``, so their paths are whole.

    Source: ``runPostScript`` in ``internal/pkg/build/stage.go`` of https://github.com/apptainer/apptainer.
    """
    words = []
    for name in names:
        source = job.secrets.get(name, "").removeprefix("src=")
        words += ["--bind", f"{_path(source, here=False) if source else 'FILE'}:{SECRETS}/{name}"]
    return words


def _path(path: str, *, here: bool) -> str:
    return path if here else str(Path(path).absolute())


def _options(job: Job) -> Sequence[str]:
    options = ["--file", job.dockerfile]
    for reference in job.references:
        options += ["--tag", reference]
    platform = job.platform or job.image.platform
    if platform:
        options += ["--platform", platform]
    if job.no_cache:
        options.append("--no-cache")
    return options


def _secrets(job: Job) -> Sequence[str]:
    words = []
    for name in secret_ids(job.image):
        words += ["--secret", f"id={name},{job.secrets.get(name, 'src=FILE')}"]
    return words
