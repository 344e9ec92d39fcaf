"""What a node compares its image with before Ray starts."""

from __future__ import annotations

from mngen.images import arch, guard
from mngen.launch.contract import described_image
from mngen.launch.model import Setting
from mngen.launch.words import quote
from mngen.manifest.image import Image
from mngen.manifest.model import Target


def modules(target: Target) -> dict[str, str]:
    """Shell modules with the function of each, in the order in which they are called."""
    image = described_image(target)
    if image is None:
        return {}
    found = {"check_image": "check_image"}
    # A Ray elsewhere has a Python of its own, which the guard has not watched.
    if guard.is_active(image) and target.ray.command == ("ray",):
        found["check_torch"] = "check_torch"
    if _tells_gpus(target, image):
        found[f"check_gpu_arch_{image.variant}"] = "check_gpu_arch"
    return found


def settings(target: Target) -> list[Setting]:
    """What the image was built for, as the manifest says it and as a pattern of the GPUs that run it."""
    image = described_image(target)
    if image is None or not _tells_gpus(target, image):
        return []
    return [
        Setting("GPU_ARCH", quote(" ".join(image.gpu_arch))),
        Setting("GPU_FITS", quote("|".join(arch.pattern(each) for each in image.gpu_arch))),
    ]


def _tells_gpus(target: Target, image: Image) -> bool:
    return bool(target.resources.gpus and image.gpu_arch)
