"""What a launch file expects of its image."""

from __future__ import annotations

from mngen.images import contract
from mngen.manifest.model import Runtime, Target


def image_digest(target: Target) -> str | None:
    """The digest that every node's image must carry; None when no described image is used there."""
    if target.image is not None and target.image.ref is not None:
        return None
    if target.built_image is None or (target.kind in {"slurm", "manual"} and target.runtime is Runtime.NONE):
        return None
    return contract.digest(target.built_image)
