"""What a launch file expects of its image."""

from __future__ import annotations

from mngen.images import contract
from mngen.manifest.image import Image
from mngen.manifest.model import Runtime, Target


def described_image(target: Target) -> Image | None:
    """The image that the manifest describes, where it is the one that the target's nodes use."""
    if target.image is not None and target.image.ref is not None:
        return None
    if target.kind in {"slurm", "manual"} and target.runtime is Runtime.NONE:
        return None
    return target.built_image


def image_digest(target: Target) -> str | None:
    """The digest that every node's image must carry; None when no described image is used there."""
    image = described_image(target)
    return contract.digest(image) if image is not None else None
