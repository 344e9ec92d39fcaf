"""The platforms that an image is built for, as ``--platform`` and ``image.platform`` name them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mngen.build.job import Job
from mngen.errors import UsageError
from mngen.manifest.image import Image

_PLATFORM = re.compile(r"linux/[a-z0-9]+(?:/[a-z0-9.]+)?")
_USUAL = {"linux/amd64/v1": "linux/amd64", "linux/arm64/v8": "linux/arm64"}
"""Variants that are an architecture's first, which nobody names: https://github.com/containerd/platforms."""


def read(text: str) -> str:
    """Return platforms, with commas between them, in their shortest form. Raises ``UsageError`` for what is none."""
    parts = text.split(",") if text else []
    if not all(map(_PLATFORM.fullmatch, parts)):
        hint = "write linux/ARCH or linux/ARCH/VARIANT, such as linux/arm64; buildx takes several, with commas between"
        raise UsageError(f"`--platform {text}` is no platform of Linux", hint=hint)
    return ",".join(_USUAL.get(part, part) for part in parts)


def refuse_contradictions(images: Sequence[Image], platform: str) -> None:
    """Raise ``UsageError`` for another platform than an image's own, which the image itself names in its contract."""
    for image in images:
        if platform and image.platform and platform != image.platform:
            raise UsageError(
                f"`--platform {platform}`: the image is described for {image.platform}",
                hint="leave it out, or change image.platform and render again",
            )


def refuse_several(job: Job, builder: str, *, sif: bool) -> None:
    """Raise ``UsageError`` for several platforms where only one of them would come out."""
    if "," not in job.platform:
        return
    if sif or builder == "apptainer":
        what = "apptainer builds for one platform at a time" if builder == "apptainer" else "a SIF is for one platform"
        hint = "make each platform's SIF in a run of its own"
    elif builder != "buildx":
        what = f"{builder} builds for one platform at a time"
        hint = "use `--builder buildx`, or build for each in a run of its own, with a tag of its own"
    else:
        return
    raise UsageError(f"`--platform {job.platform}`: {what}", hint=hint)


def of_apptainer(platform: str) -> tuple[str, ...]:
    """Return Apptainer's options for a platform; it has them from 1.4 on (its CHANGELOG.md)."""
    if not platform:
        return ()
    _, arch, *variant = platform.split("/")
    return ("--arch", arch, *(("--arch-variant", *variant) if variant else ()))
