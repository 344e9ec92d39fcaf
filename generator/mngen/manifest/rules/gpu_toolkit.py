"""The image's CUDA or ROCm must know the target's GPU, and its kernels must be built for it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.base_image import toolkit_version
from mngen.manifest.capabilities import Gpu, gpu, toolkit
from mngen.manifest.judging.finding import finding, graded, warning
from mngen.manifest.judging.image_use import built_image, ready_image
from mngen.manifest.model import Target
from mngen.manifest.rules.gpu_vendor import VENDORS
from mngen.manifest.versions import parse_version


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a GPU that the base's CUDA or ROCm does not know; warn when ``gpu_arch`` leaves it out."""
    model = gpu(target.resources.gpu_type or "")
    if model is not None and model.vendor == VENDORS[target.variant]:
        yield from _base(target, model)
        yield from _arch(target, model)


def _base(target: Target, model: Gpu) -> Iterator[Diagnostic]:
    field, text, found = _toolkit(target)
    version = parse_version(found)
    row = toolkit(model.vendor, model.arch)
    if version is None or row is None or version in row.versions:
        return
    name = "CUDA" if model.vendor == "nvidia" else "ROCm"
    refusal = finding(
        target,
        "MN219",
        "resources.gpu_type",
        f"gpu_type {target.resources.gpu_type} ({model.arch}) needs {name} {row.versions}, but {field} {text} has "
        f"{name} {version}",
        hint=f"take an image with {name} {row.versions}, or another gpu_type ({row.source})",
        other=(field,),
    )
    yield graded(row.severity, refusal)


def _toolkit(target: Target) -> tuple[str, str, str]:
    """Return the field that tells of the image's CUDA or ROCm, its text and the version."""
    variant = target.variant.value
    image = built_image(target)
    if image is not None:
        prefix = f"image.variants.{variant}"
        if image.toolkit:
            return f"{prefix}.toolkit", image.toolkit, image.toolkit
        return f"{prefix}.base", image.base, toolkit_version(image.base, variant)
    ready = ready_image(target)
    ref = (ready.ref or "") if ready is not None else ""
    return "image.ref", ref, toolkit_version(ref, variant)


def _arch(target: Target, model: Gpu) -> Iterator[Diagnostic]:
    image = built_image(target)
    if image is None or not image.gpu_arch or any(runs_on(arch, model) for arch in image.gpu_arch):
        return
    yield warning(
        target,
        "MN220",
        f"image.variants.{target.variant.value}.gpu_arch",
        f"gpu_arch is [{', '.join(image.gpu_arch)}], but this target's {target.resources.gpu_type} is {model.arch}: "
        "kernels built in the image would not run on it, and its nodes refuse the image",
        hint=f"add {model.arch} to gpu_arch",
        other=("resources.gpu_type",),
    )


def runs_on(arch: str, model: Gpu) -> bool:
    """Tell whether code built for an architecture runs on a model (CUDA C Programming Guide, binary compatibility)."""
    name, _, suffix = arch.strip().lower().partition("+")
    if model.vendor == "amd":
        return name.partition(":")[0] == model.arch  # gfx942:xnack- is still gfx942
    built, own = parse_version(name), parse_version(model.arch)
    if built is None or own is None:
        return True
    if name[-1:] == "a":  # 9.0a: features of that very chip
        return built == own
    if suffix == "ptx" and name[-1:] != "f" and built <= own:  # 10.0f: features of that family
        return True
    return built.numbers[0] == own.numbers[0] and built <= own
