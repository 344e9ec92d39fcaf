"""What a described image is called, and what it starts from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.base_image import parse_reference
from mngen.manifest.image import Image
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.model import Manifest

_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")


def check(manifest: Manifest) -> Iterator[Diagnostic]:
    """Refuse names that a registry refuses, names that move, and one name for two images."""
    seen: dict[str, str] = {}
    for image in manifest.images.values():
        yield from _repository(image)
        yield from _tag(image)
        yield from _bases(image)
        other = seen.setdefault(image.reference, image.variant)
        if image.tag and other != image.variant:
            message = f"variants {other} and {image.variant} have one name, {image.reference}: the later push would win"
            yield image_finding(image, "MN801", "tag", message, hint=f"write tag: {image.tag}-{image.variant}")


def _repository(image: Image) -> Iterator[Diagnostic]:
    name = image.repository
    if any(char.isupper() for char in name.partition("/")[2] or name):
        message = f"image.repository {name!r} has upper-case letters, which no registry accepts"
        yield image_finding(image, "MN801", "repository", message, hint=f"write {name.lower()}")
        return
    reference = parse_reference(name)
    if reference is None or reference.tag or reference.digest:
        message = f"image.repository {name!r} is not a registry and a repository without a tag"
        hint = "write it like registry.example.org/rl/verl; tags stand in variants"
        yield image_finding(image, "MN801", "repository", message, hint=hint)


def _tag(image: Image) -> Iterator[Diagnostic]:
    where = f"image.variants.{image.variant}"
    if not image.tag:
        message = f"{where} has no tag"
        yield image_finding(image, "MN801", "tag", message, hint=f"write tag: 0.1-{image.variant}")
    elif not _TAG.fullmatch(image.tag):
        message = f"tag {image.tag!r} is not accepted by registries"
        yield image_finding(image, "MN801", "tag", message, hint="use up to 128 letters, digits, `_`, `.` and `-`")
    elif image.tag == "latest":
        message = f"{where} has the tag latest: nodes that pull at different times run different images"
        yield image_finding(image, "MN801", "tag", message, hint="name a version")


def _bases(image: Image) -> Iterator[Diagnostic]:
    yield from _base(image, "base", f"image.variants.{image.variant}.base", image.base)
    for index, stage in enumerate(image.stages):
        yield from _base(image, f"stages.{index}.base", f"base of stage {stage.name}", stage.base)


def _base(image: Image, field: str, title: str, base: str) -> Iterator[Diagnostic]:
    reference = parse_reference(base)
    if not base:
        yield image_finding(image, "MN802", field, f"{title} is missing", hint="name the image to start from")
    elif reference is None:
        message = f"{title} {base!r} is not one image reference"
        hint = "write repository:tag or repository@sha256:…, without variables"
        yield image_finding(image, "MN802", field, message, hint=hint)
    elif base == "scratch":
        return  # no image, so it has no tag; image_shell says what it lacks
    elif not reference.digest and reference.tag in {"", "latest"}:
        has = "has the tag latest" if reference.tag else "has no tag"
        message = f"{title} {base!r} {has}: the same manifest would build another image later"
        yield image_finding(image, "MN802", field, message, hint="name a version, or a digest (@sha256:…)")
