"""Where wheels come from: pip's options, and the PyTorch index that fits the CUDA or ROCm version."""

from __future__ import annotations

from mngen.manifest.base_image import toolkit_version
from mngen.manifest.image import Image
from mngen.manifest.mirrors import PYPI
from mngen.manifest.versions import parse_version


def toolkit(image: Image) -> str:
    """Return the CUDA or ROCm version of the base: the user's word, else what its tag names."""
    return image.toolkit or toolkit_version(image.base, image.variant)


def stack_name(variant: str, version: str) -> str:
    """Return PyTorch's name for a stack: ``cu128`` for CUDA 12.8, ``rocm7.2`` for ROCm 7.2.1."""
    parsed = parse_version(version)
    major, minor = (*(parsed.numbers if parsed else (0,)), 0)[:2]
    return f"cu{major}{minor}" if variant == "cuda" else f"rocm{major}.{minor}"


def torch_index(image: Image) -> str:
    """Return the wheel index of this image's stack, or an empty text when none is given or derivable."""
    version = toolkit(image)
    if not image.torch.wheel_index or not version:
        return ""
    return image.mirrors.wheels(f"{image.torch.wheel_index.rstrip('/')}/{stack_name(image.variant, version)}")


def index_options(image: Image) -> tuple[tuple[str, ...], ...]:
    """Return pip's options for indexes and pages of wheels, one line each.

    A mirror of pip's own index is named here too: an option wins over any variable and pip.conf that there may be.
    """
    pip, wheels = image.pip, image.mirrors.wheels
    index = wheels(pip.index_url or PYPI)
    lines = [("--index-url", index)] if pip.index_url or index != PYPI else []
    lines.extend(("--extra-index-url", wheels(url)) for url in pip.extra_index_urls)
    lines.extend(("--find-links", wheels(page)) for page in pip.find_links)
    return tuple(lines)
