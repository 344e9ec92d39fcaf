"""A described image in which nothing brings Ray."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.base_image import lacks_python
from mngen.manifest.image import Image
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.image_use import built_image
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn of a job whose every node would find no Ray."""
    image = built_image(target)
    if image is None or not _brings_nothing(image) or _comes_later(target):
        return
    version = target.ray.version or "2.52.1"
    yield warning(
        target,
        "MN822",
        f"image.variants.{image.variant}.base",
        f"nothing brings Ray into this image: {image.base} has none, and no package, source, file or step adds it",
        hint=f'write image: {{pip: {{packages: ["ray[default]=={version}"]}}}}, or a base that has Ray',
    )


def _comes_later(target: Target) -> bool:
    """Whether each node may install Ray, or have it mounted."""
    path = any(name == "PATH" for name, _ in target.env)
    return target.setup is not None or target.ray.command != ("ray",) or bool(target.env_files) or path


def _brings_nothing(image: Image) -> bool:
    """Whether the base is known to be bare, and nothing that is added to it could be or hold Ray."""
    return lacks_python(image.base) and not (image.pip.requirements or image.git or image.files or image.steps)
