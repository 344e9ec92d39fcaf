"""``gpu_arch``: of the variant's vendor, and known to the base's CUDA or ROCm."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.base_image import toolkit_version
from mngen.manifest.capabilities import toolkit
from mngen.manifest.image import Image
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.model import Manifest
from mngen.manifest.versions import parse_version

_FORMS = {"cuda": re.compile(r"\d+\.\d[af]?(?:\+PTX)?"), "rocm": re.compile(r"gfx[0-9a-f]{3,4}(?::[a-z0-9+:-]+)?")}
_VENDORS = {
    "cuda": ("nvidia", "CUDA", "a compute capability such as 9.0"),
    "rocm": ("amd", "ROCm", "a name such as gfx942"),
}


def check(manifest: Manifest) -> Iterator[Diagnostic]:
    """Refuse architectures of the other vendor, and those newer than the base."""
    for image in manifest.images.values():
        for index, arch in enumerate(image.gpu_arch):
            yield from _arch(image, f"gpu_arch.{index}", arch)


def _arch(image: Image, field: str, arch: str) -> Iterator[Diagnostic]:
    vendor, title, form = _VENDORS[image.variant]
    if not _FORMS[image.variant].fullmatch(arch):
        message = f"gpu_arch {arch!r} is no architecture for {image.variant}"
        yield image_finding(image, "MN806", field, message, hint=f"write {form}")
        return
    row = toolkit(
        vendor, re.split(r"[:+af]", arch, maxsplit=1)[0] if image.variant == "cuda" else arch.partition(":")[0]
    )
    found = parse_version(image.toolkit or toolkit_version(image.base, image.variant))
    if row is not None and found is not None and found not in row.versions:
        message = f"gpu_arch {arch} needs {title} {row.versions}, but the base {image.base} has {title} {found}"
        hint = f"take a base with {title} {row.versions}, or another gpu_arch ({row.source})"
        yield image_finding(image, "MN806", field, message, hint=hint, severity=row.severity)
