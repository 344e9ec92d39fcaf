"""Bases without bash, by which both files of an image run what they run.

Sources: https://hub.docker.com/_/alpine and https://hub.docker.com/_/busybox (BusyBox has a shell named ``sh``);
https://github.com/GoogleContainerTools/distroless (no shell at all, BusyBox with the tag ``debug``);
https://github.com/docker-library/docs/blob/master/.template-helpers/variant-alpine.md (official images on Alpine
come without bash).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.base_image import parse_reference
from mngen.manifest.image import Image, Stage
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.model import Manifest

_OFFICIAL = re.compile(
    r"(?:(?:(?:index\.)?docker\.io|public\.ecr\.aws/docker|mirror\.gcr\.io)/)?(?:library/)?(?P<name>[a-z0-9]+)"
)
"""Docker's official images, at Docker Hub or at a public copy of it."""
_SMALL = frozenset({"alpine", "busybox", "scratch"})
_ON_ALPINE = frozenset({"golang", "node", "python", "ruby", "rust"})
"""Official images that install nothing but what they are named after when their tag says alpine."""
_DISTROLESS = "gcr.io/distroless/"
_BASES = "debian:12-slim, ubuntu:24.04 or one of Red Hat's"


def check(manifest: Manifest) -> Iterator[Diagnostic]:
    """Refuse bases known to have no bash, for images and for stages in which something runs."""
    for image in manifest.images.values():
        if lacks_bash(image.base):
            message = f"base {image.base!r} has no bash, by which the image is built and its jobs are started"
            hint = f"start from an image that has it, such as {_BASES}"
            yield image_finding(image, "MN817", "base", message, hint=hint)
        for index, stage in enumerate(image.stages):
            if lacks_bash(stage.base) and _runs(image, stage):
                message = f"base {stage.base!r} of stage {stage.name} has no bash, by which the stage is built"
                hint = f"take one that has it, such as {_BASES}; a stage without apt, files and steps needs no bash"
                yield image_finding(image, "MN817", f"stages.{index}.base", message, hint=hint)


def lacks_bash(base: str) -> bool:
    """Tell whether a base is known to come without bash."""
    reference = parse_reference(base)
    if reference is None:
        return False
    official = _OFFICIAL.fullmatch(reference.name)
    name = official["name"] if official else ""
    on_alpine = name in _ON_ALPINE and "alpine" in reference.tag
    return name in _SMALL or on_alpine or reference.name.startswith(_DISTROLESS)


def _runs(image: Image, stage: Stage) -> bool:
    """Tell whether anything is run in a stage, by a RUN or by ``%post``, which also puts files into place."""
    copies = bool(stage.files) if image.apptainer else any(item.mode for item in stage.files)
    return bool(stage.apt or stage.steps or copies)
