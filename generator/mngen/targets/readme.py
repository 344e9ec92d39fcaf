"""The README beside the generated files: the exact commands for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mngen.launch.header import cluster
from mngen.manifest.image import Image
from mngen.manifest.model import Manifest, Target
from mngen.plan import Language, PlannedFile


@dataclass(frozen=True, slots=True)
class Section:
    """One target: its name, what it is, its commands with a few words each."""

    name: str
    kind: str
    cluster: str
    driver: str
    commands: tuple[tuple[str, str], ...]
    secrets: tuple[str, ...]
    inspectable: bool


@dataclass(frozen=True, slots=True)
class Readme:
    """What ``templates/README.md.j2`` prints."""

    name: str
    manifest: str
    sections: tuple[Section, ...]
    images: tuple[tuple[str, Image], ...]


def _section(target: Target, commands: tuple[tuple[str, str], ...]) -> Section:
    words = [text.literal or "…" for text in target.driver.command]
    return Section(
        name=target.name,
        kind=target.kind,
        cluster=cluster(target),
        driver=" ".join(words),
        commands=commands,
        secrets=tuple(s.name for s in target.secrets if s.file is None),
        inspectable=target.runtime.value in {"docker", "podman"},
    )


def readme(manifest: Manifest, usage: Mapping[str, tuple[tuple[str, str], ...]]) -> PlannedFile:
    """Plan README.md; it belongs to no target."""
    context = Readme(
        name=manifest.name,
        manifest=manifest.file_name,
        sections=tuple(_section(target, usage[target.name]) for target in manifest.targets),
        images=tuple((variant.value, image) for variant, image in manifest.images.items()),
    )
    return PlannedFile(path="README.md", language=Language.MARKDOWN, template="README.md.j2", context=context)
