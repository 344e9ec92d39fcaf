"""Copies into an image: sources that a builder sees, stages that exist, and paths that mean the same everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.image import FileCopy, GitSource, Image
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.model import Manifest

_SYSTEM = re.compile(r"/(?:bin|boot|dev|etc|lib|lib64|proc|root|run|sbin|sys|tmp|usr|var|home|opt|mnt|srv)?/?")

_RESERVED = frozenset({"scratch", "context"})
"""Names that mean something else to builders: https://docs.docker.com/reference/build-checks/reserved-stage-name/"""


def check(manifest: Manifest) -> Iterator[Diagnostic]:
    """Refuse copies and checkouts that one of the two formats would do otherwise, or not at all."""
    for image in manifest.images.values():
        yield from _stages(image)
        yield from _copies(image)
        yield from _constraints(image)
        yield from _paths(image)
        yield from _checkouts(image)


def _stages(image: Image) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for index, stage in enumerate(image.stages):
        if stage.name in seen:
            message = f"two stages are called {stage.name}"
            yield image_finding(image, "MN808", f"stages.{index}.name", message, hint="give each its own name")
        if stage.name in _RESERVED:
            message = f"image.stages.{index}.name is {stage.name}, a word that builders keep for themselves"
            hint = f"write another name, such as {stage.name}-files"
            yield image_finding(image, "MN808", f"stages.{index}.name", message, hint=hint)
        for number, item in enumerate(stage.files):
            yield from _copy(image, f"stages.{index}.files.{number}", item, seen)
        seen.add(stage.name)


def _copies(image: Image) -> Iterator[Diagnostic]:
    known = {stage.name for stage in image.stages}
    for index, item in enumerate(image.files):
        yield from _copy(image, f"files.{index}", item, known)


def _copy(image: Image, field: str, item: FileCopy, stages: set[str]) -> Iterator[Diagnostic]:
    if item.stage and item.stage not in stages:
        known = f"stages above it: {', '.join(sorted(stages))}" if stages else "there is no stage above it"
        message = f"image.{field} copies from {item.stage!r}, which is no stage ({known})"
        yield image_finding(image, "MN807", f"{field}.from", message, hint="name a stage that stands earlier")
    if item.stage and not item.source.startswith("/"):
        message = f"image.{field}.source {item.source!r} is not an absolute path in stage {item.stage}"
        yield image_finding(image, "MN807", f"{field}.source", message, hint=f"write /{item.source}")
    if item.stage and item.source == item.target == "/":
        message = f"image.{field} lays the whole file system of stage {item.stage} over the image's"
        yield image_finding(image, "MN807", f"{field}.source", message, hint="name the folders that the image needs")
    if not item.stage:
        yield from _beside(image, f"{field}.source", item.source)
    if item.folder and item.mode:
        message = f"image.{field} gives a mode to a whole folder"
        yield image_finding(image, "MN807", f"{field}.mode", message, hint="remove it, or set modes in a step")


def _beside(image: Image, field: str, source: str) -> Iterator[Diagnostic]:
    if source.startswith("/") or ".." in source.split("/"):
        message = f"image.{field} {source!r} lies outside of the manifest's folder, which is all that a builder sees"
        yield image_finding(image, "MN807", field, message, hint="copy it there, and write the path below that folder")
    elif source in {".", "./"}:
        message = f"image.{field} would send the manifest's whole folder to the builder, secrets and results included"
        yield image_finding(image, "MN807", field, message, hint="name the files or folders that the image needs")


def _constraints(image: Image) -> Iterator[Diagnostic]:
    for index, source in enumerate(image.pip.constraints):
        yield from _beside(image, f"pip.constraints.{index}", source)


def _paths(image: Image) -> Iterator[Diagnostic]:
    """Refuse paths that climb; the schema has judged their characters."""
    named = [("workdir", image.workdir), ("venv", image.venv)]
    named += [(f"files.{index}.target", item.target) for index, item in enumerate(image.files)]
    named += [(f"git.{index}.path", source.path) for index, source in enumerate(image.git)]
    for field, path in named:
        if ".." in path.split("/"):
            message = f"image.{field} is {path!r}, with `..` in it"
            yield image_finding(image, "MN807", field, message, hint="write the path out")


def _checkouts(image: Image) -> Iterator[Diagnostic]:
    seen: dict[str, GitSource] = {}
    for index, source in enumerate(image.git):
        field, path = f"git.{index}.path", source.path.rstrip("/") or "/"
        if _SYSTEM.fullmatch(path):
            message = f"image.{field} is {source.path}, a folder of the system"
            yield image_finding(image, "MN815", field, message, hint="name a new folder, such as /opt/NAME")
        elif seen.setdefault(path, source) is not source:
            message = f"image.{field} is {source.path}, where {seen[path].url} is checked out already"
            yield image_finding(image, "MN815", field, message, hint="give each source its own folder")
    for index, item in enumerate(image.files):
        number = image.checkout_of(item) if item.early else None
        if number is not None:
            message = f"image.files.{index} is copied early, into the folder that image.git.{number} is checked out to"
            hint = "remove early: a copy into a checkout is made right after it; git checks nothing out over files"
            yield image_finding(image, "MN815", f"files.{index}.early", message, hint=hint, severity=Severity.WARNING)
