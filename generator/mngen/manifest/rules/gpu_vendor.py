"""``gpu_type``: a model that is known, of the variant's vendor, and asked for at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import Gpu, accelerators, gpu, gpus
from mngen.manifest.gpu_names import in_catalogue, normal
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.model import Target, Variant

_ELSEWHERE = {
    "slurm": "the site's own spelling of a Slurm GRES goes to slurm.gpu_request.type",
    "skypilot": "right if `sky show-gpus -a` lists it",
    "dstack": "`dstack offer` lists what there is",
}
"""Where a name comes from that mngen does not know, by the kind of target."""

VENDORS = {Variant.CUDA: "nvidia", Variant.ROCM: "amd"}


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a GPU of the other vendor; warn about a model that mngen does not know."""
    name = target.resources.gpu_type
    if name is None:
        return
    model = gpu(name)
    if model is None or (target.kind == "skypilot" and model.vendor == VENDORS[target.variant]):
        yield from _unknown(target, name, model)
    if model is not None and model.vendor != VENDORS[target.variant]:
        yield finding(
            target,
            "MN218",
            "resources.gpu_type",
            f"gpu_type {name} is made by {model.vendor.upper()}, but variant is {target.variant.value}",
            hint=f"write variant: {'rocm' if model.vendor == 'amd' else 'cuda'} for this target, or another gpu_type",
            other=("variant",),
        )


def _unknown(target: Target, name: str, model: Gpu | None) -> Iterator[Diagnostic]:
    """Warn about a name that tells mngen nothing, or SkyPilot."""
    if target.kind == "skypilot" and not in_catalogue(name):
        message = f"gpu_type {name!r} is no name of SkyPilot's catalogue"
        listed = "`sky show-gpus -a` lists what clouds have; a Kubernetes cluster may have names of its own"
        known = [one.lower() for one in accelerators("skypilot")]
        same = [one for one in known if model is not None and gpu(one) == model]
        hint = f"{_meant(normal(name), same or known)}{listed}"
        yield warning(target, "MN217", "resources.gpu_type", message, hint=hint)
    elif model is None:
        message = f"gpu_type {name!r} is not a model that mngen knows, so it cannot be checked against the image"
        hint = _meant(name.lower(), gpus()) + _ELSEWHERE.get(target.kind, "right if the GPU is called so")
        yield warning(target, "MN217", "resources.gpu_type", message, hint=hint)


def _meant(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - few manifests have an unknown GPU

    near = get_close_matches(name, list(known), n=3)
    return f"did you mean {' or '.join(near)}? " if near else ""
