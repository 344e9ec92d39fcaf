"""The image's CUDA or ROCm must know the target's GPU, and its kernels must be built for it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import Gpu, gpu, toolkit
from mngen.manifest.model import Target
from mngen.manifest.rules.base_toolkit import cuda_of, rocm_of
from mngen.manifest.rules.finding import finding, graded, warning
from mngen.manifest.rules.gpu_vendor import VENDORS
from mngen.manifest.versions import parse_version


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a GPU that the base's CUDA or ROCm does not know, warn when ``gpu_arch`` leaves it out."""
    model = gpu(target.resources.gpu_type or "")
    if model is None or model.vendor != VENDORS[target.variant]:
        return
    yield from _base(target, model)
    yield from _arch(target, model)


def _base(target: Target, model: Gpu) -> Iterator[Diagnostic]:
    field, reference = _reference(target)
    row = toolkit(model.vendor, model.arch)
    if reference is None or row is None:
        return
    name = "CUDA" if model.vendor == "nvidia" else "ROCm"
    version = cuda_of(reference) if model.vendor == "nvidia" else rocm_of(reference)
    if version is not None and version not in row.versions:
        yield graded(
            row.severity,
            finding(
                target,
                "MN219",
                "resources.gpu_type",
                f"gpu_type {target.resources.gpu_type} ({model.arch}) needs {name} {row.versions}, but {field} "
                f"{reference} has {name} {version}",
                hint=f"take a base with {name} {row.versions}, or another gpu_type ({row.source})",
                other=(field,),
            ),
        )


def _reference(target: Target) -> tuple[str, str | None]:
    if target.image is not None:
        return "image.ref", target.image.ref
    if target.built_image is not None:
        return f"image.variants.{target.variant.value}.base", target.built_image.base
    return "image", None


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
