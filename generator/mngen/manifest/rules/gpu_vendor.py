"""``gpu_type``: a model that is known, of the variant's vendor, and asked for at all."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import gpu, gpus
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.model import Target, Variant

VENDORS = {Variant.CUDA: "nvidia", Variant.ROCM: "amd"}


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a GPU of the other vendor; warn about a model that mngen does not know."""
    name = target.resources.gpu_type
    if name is None:
        return
    model = gpu(name)
    if model is None:
        from difflib import get_close_matches  # noqa: PLC0415 - few manifests have an unknown GPU

        near = get_close_matches(name.lower(), list(gpus()), n=3)
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        yield warning(
            target,
            "MN217",
            "resources.gpu_type",
            f"gpu_type {name!r} is not a model that mngen knows, so it cannot be checked against the image",
            hint=meant + "the site's own spelling of a Slurm GRES goes to slurm.gpu_request.type",
        )
    elif model.vendor != VENDORS[target.variant]:
        yield finding(
            target,
            "MN218",
            "resources.gpu_type",
            f"gpu_type {name} is made by {model.vendor.upper()}, but variant is {target.variant.value}",
            hint=f"write variant: {'rocm' if model.vendor == 'amd' else 'cuda'} for this target, or another gpu_type",
            other=("variant",),
        )
