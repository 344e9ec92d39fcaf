"""The image's CUDA or ROCm must know the target's GPU, and its kernels must be built for it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import Gpu, gpu, toolkit
from mngen.manifest.model import Runtime, Target, Variant
from mngen.manifest.rules.base_toolkit import cuda_of, rocm_of
from mngen.manifest.rules.finding import finding, graded, warning
from mngen.manifest.rules.gpu_vendor import VENDORS
from mngen.manifest.versions import Version, parse_version


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a GPU that the base's CUDA or ROCm does not know, warn when ``gpu_arch`` leaves it out."""
    model = gpu(target.resources.gpu_type or "")
    if model is None or model.vendor != VENDORS[target.variant] or not _uses_image(target):
        return
    yield from _base(target, model)
    yield from _arch(target, model)


def _uses_image(target: Target) -> bool:
    return target.kind not in {"slurm", "manual"} or target.runtime is not Runtime.NONE


def _base(target: Target, model: Gpu) -> Iterator[Diagnostic]:
    field, text, version = _toolkit(target)
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


def _toolkit(target: Target) -> tuple[str, str, Version | None]:
    """Return the field that tells of the image's CUDA or ROCm, its text and the version."""
    read = cuda_of if target.variant is Variant.CUDA else rocm_of
    if target.image is not None:
        ref = target.image.ref or ""
        return "image.ref", ref, read(ref)
    image = target.built_image
    if image is None:
        return "image", "", None
    prefix = f"image.variants.{target.variant.value}"
    if image.toolkit:
        return f"{prefix}.toolkit", image.toolkit, parse_version(image.toolkit)
    return f"{prefix}.base", image.base, read(image.base)


def _arch(target: Target, model: Gpu) -> Iterator[Diagnostic]:
    image = target.built_image
    if image is None or target.image is not None or not image.gpu_arch:
        return
    built = image.gpu_arch
    fits = any(_runs_on(arch, model) for arch in built)
    if fits:
        return
    field = f"image.variants.{target.variant.value}.gpu_arch"
    yield warning(
        target,
        "MN220",
        field,
        f"gpu_arch is [{', '.join(built)}], but this target's {target.resources.gpu_type} is {model.arch}: "
        "kernels built in the image would not run on it",
        hint=f"add {model.arch} to gpu_arch",
        other=("resources.gpu_type",),
    )


def _runs_on(arch: str, model: Gpu) -> bool:
    """Tell whether code built for an architecture runs on a model (CUDA C Programming Guide, binary compatibility)."""
    name, _, suffix = arch.strip().lower().partition("+")
    if model.vendor == "amd":
        return name.partition(":")[0] == model.arch  # gfx942:xnack- is still gfx942
    built, own = parse_version(name), parse_version(model.arch)
    if built is None or own is None:
        return True
    if name[-1:] == "a":  # 9.0a: features of that very chip
        return built == own
    if suffix == "ptx" and built <= own:
        return True
    return built.numbers[0] == own.numbers[0] and built <= own
