"""``container.gpu``: a way of handing GPUs over that the runtime and the vendor have."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.container_words import container_options
from mngen.manifest.judging.finding import finding
from mngen.manifest.model import Runtime, Target, Variant

_WAYS = {
    (Runtime.APPTAINER, Variant.CUDA): ("auto", "nv", "devices", "none"),
    (Runtime.APPTAINER, Variant.ROCM): ("auto", "rocm", "devices", "none"),
    (Runtime.DOCKER, Variant.CUDA): ("auto", "nv", "cdi", "none"),
    (Runtime.DOCKER, Variant.ROCM): ("auto", "devices", "none"),
    (Runtime.PODMAN, Variant.CUDA): ("auto", "cdi", "none"),
    (Runtime.PODMAN, Variant.ROCM): ("auto", "devices", "none"),
    (Runtime.PYXIS, Variant.CUDA): ("auto", "none"),
    (Runtime.PYXIS, Variant.ROCM): ("auto", "none"),
}
_OPTIONS = frozenset({"--device", "--gpu", "--gpus", "--nv", "--nvccli", "--rocm", "--runtime"})
"""``--gpu`` is podman-hpc's: https://docs.nersc.gov/development/containers/podman-hpc/overview/."""
_VENDOR = {"nv": Variant.CUDA, "rocm": Variant.ROCM}


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse ``nv`` for AMD, ``rocm`` for NVIDIA, and a way that the runtime does not have."""
    way = target.container.gpu
    if target.kind not in {"slurm", "manual"} or way == "auto":
        return
    if way in _VENDOR and _VENDOR[way] is not target.variant:
        yield finding(
            target,
            "MN274",
            "container.gpu",
            f"container.gpu is {way}, but variant is {target.variant.value}",
            hint="write auto, which follows the variant",
            other=("variant",),
        )
    elif way not in (ways := _WAYS.get((target.runtime, target.variant), (way,))):
        gpus = "NVIDIA's GPUs" if target.variant is Variant.CUDA else "AMD's GPUs"
        yield finding(
            target,
            "MN274",
            "container.gpu",
            f"container.gpu is {way}, which {target.runtime.value} does not have for {gpus}",
            hint=f"write one of {', '.join(ways)}",
            other=("runtime", "variant"),
        )
    if way == "none" and target.resources.gpus > 0 and not _handed_over(target):
        yield finding(
            target,
            "MN274",
            "container.gpu",
            f"container.gpu is none, but resources.gpus is {target.resources.gpus}: Ray could not open the GPUs",
            hint="write auto, or resources: {gpus: 0}; or in container.options what hands them over",
            other=("resources.gpus",),
        )


def _handed_over(target: Target) -> bool:
    """Tell whether an option of the user's own gives the container GPUs, as a site's client may have one."""
    return any(option.name in _OPTIONS for option in container_options(target))
