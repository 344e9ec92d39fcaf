"""Which image a target really runs in."""

from __future__ import annotations

from mngen.manifest.image import Image
from mngen.manifest.model import ReadyImage, Target


def uses_image(target: Target) -> bool:
    """Tell whether the target's processes run in its image at all; a prefix says for itself what it starts."""
    return target.kind not in {"slurm", "manual"} or target.runtime.is_container


def in_container(target: Target) -> bool:
    """Tell whether a runtime of the node starts the image, so that the node's own programs are out of reach."""
    return target.kind in {"slurm", "manual"} and target.runtime.is_container


def ready_image(target: Target) -> ReadyImage | None:
    """Return the ready image that the target runs in."""
    return target.image if uses_image(target) else None


def built_image(target: Target) -> Image | None:
    """Return the described image that the target runs in; a SIF beside it is made from it."""
    ready = target.image is not None and (target.image.ref is not None or target.built_image is None)
    return target.built_image if uses_image(target) and not ready else None
