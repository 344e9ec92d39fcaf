"""The README beside the generated files: the exact commands for each of them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mngen.launch.header import cluster, render_command
from mngen.manifest.model import Manifest, Target
from mngen.plan import Language, PlannedFile
from mngen.targets import boot, readme_images


class Section(Struct, frozen=True):
    """One target: its name, what it is, its commands with a few words each."""

    name: str
    kind: str
    cluster: str
    commands: tuple[tuple[str, str], ...]
    secrets: tuple[str, ...]
    inspectable: bool
    tokenless: bool
    """Whether its Ray asks nobody who they are."""


class Readme(Struct, frozen=True):
    """What ``templates/README.md.j2`` prints."""

    name: str
    manifest: str
    render: str
    """The command that gives the same files again, in the manifest's folder; ``build`` that builds the images."""
    build: str
    place: str
    """Where to run ``render``, when that is not plain."""
    sections: tuple[Section, ...]
    images: tuple[str, ...]
    """The commands that build them, each as its Dockerfile has it."""
    secrets: bool
    """Whether a build has to be given a secret."""
    pulled: tuple[str, ...]
    """References of the built images that a target's nodes pull."""
    files: tuple[readme_images.SifFile, ...]
    """Files made of the images that targets start from."""
    drives: bool
    """Whether any target starts a driver itself."""


def _section(target: Target, commands: tuple[tuple[str, str], ...]) -> Section:
    return Section(
        name=target.name,
        kind=target.kind,
        cluster=cluster(target),
        commands=commands,
        secrets=tuple(s.name for s in target.secrets if s.file is None),
        tokenless=target.ray.auth == "disabled" or (target.kind != "slurm" and not boot.uses_token(target)),
        inspectable=target.runtime.value in {"docker", "podman"},
    )


def readme(manifest: Manifest, usage: Mapping[str, tuple[tuple[str, str], ...]]) -> PlannedFile:
    """Plan README.md; it belongs to no target."""
    images = readme_images.by_hand(manifest)
    context = Readme(
        name=manifest.name,
        manifest=manifest.file_name,
        render=_inline(render_command(manifest)),
        build=_inline(readme_images.build_command(manifest)),
        place="" if manifest.out == "out" else " in its folder",
        sections=tuple(_section(target, usage[target.name]) for target in manifest.targets),
        drives=any(target.driver.submit_from == "head" for target in manifest.targets),
        images=images,
        secrets=any("src=FILE" in command for command in images),
        pulled=readme_images.pulled(manifest),
        files=readme_images.files(manifest),
    )
    return PlannedFile(path="README.md", language=Language.MARKDOWN, template="README.md.j2", context=context)


def _inline(command: str) -> str:
    """Return a command as it may stand between backticks; quoting puts a backtick only into ``$'…'``."""
    return command.replace("`", r"\x60")
