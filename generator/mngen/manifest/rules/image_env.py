"""Variables of a described image: which may be there at all, and what their values may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mngen.diagnostics import Diagnostic
from mngen.manifest.image import Image
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.model import Manifest

_LIBRARIES = ("NCCL", "RCCL", "GLOO", "TP", "UCX")
_VENDORS = ("CUDA", "HIP", "ROCR", "NVIDIA", "ONEAPI", "ASCEND_RT")
CLUSTER: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (
        tuple(f"{library}_{what}" for library in _LIBRARIES for what in ("SOCKET_IFNAME", "NET_DEVICES")),
        (),
        "each node has its own interface",
    ),
    (
        ("NCCL_NET", "NCCL_IB_HCA", "NCCL_IB_GID_INDEX", "NCCL_COMM_ID", "FI_PROVIDER"),
        (),
        "fabrics differ from site to site",
    ),
    ((), ("GLOO_",), "it names the cluster's network"),
    ((), ("RAY_",), "the launch script sets Ray up for each job"),
    (
        (
            *("MASTER_ADDR", "MASTER_PORT", "RANK", "LOCAL_RANK", "WORLD_SIZE", "NODE_RANK"),
            *("HEAD_IP", "HEAD_HOST", "HEAD_ADDRESS", "NODE_IP", "NODE_HOST"),
        ),
        (),
        "it is the job's",
    ),
    (("VLLM_HOST_IP", "VLLM_PORT"), (), "each node has its own address"),
    (
        (*(f"{vendor}_VISIBLE_DEVICES" for vendor in _VENDORS), "GPU_DEVICE_ORDINAL"),
        (),
        "the job gets its own GPUs",
    ),
    (
        (),
        ("SLURM_", "SBATCH_", "PMI_", "PMIX_", "OMPI_", "SKYPILOT_", "DSTACK_"),
        "the scheduler sets it",
    ),
    ((), ("APPTAINERENV_", "SINGULARITYENV_", "APPTAINER_", "SINGULARITY_"), "it steers the runtime"),
)
"""Names that never belong into an image, and beginnings of such, and why: its value would win over the job's."""

_DERIVED = {
    "VIRTUAL_ENV": "venv",
    "PIP_CONSTRAINT": "pip.constraints",
    "UV_CONSTRAINT": "pip.constraints",
    "TORCH_CUDA_ARCH_LIST": "gpu_arch",
    "PYTORCH_ROCM_ARCH": "gpu_arch",
}
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def check(manifest: Manifest) -> Iterator[Diagnostic]:
    """Refuse variables of the cluster, variables set twice, and values that a Dockerfile cannot hold."""
    for image in manifest.images.values():
        yield from _cluster(image)
        yield from _twice(image)
        yield from _values(image)


def _blocks(image: Image) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield "env.build", image.env.build
    yield "env.image", image.env.image
    for index, source in enumerate(image.git):
        yield f"git.{index}.env", source.env
    for index, stage in enumerate(image.stages):
        yield f"stages.{index}.env", stage.env


def _cluster(image: Image) -> Iterator[Diagnostic]:
    names = [*image.env.image, *image.env.prepend]
    for name in names:
        reason = next((why for known, begins, why in CLUSTER if name in known or name.startswith(begins)), None)
        if reason is not None:
            block = "image" if name in image.env.image else "prepend"
            field = f"env.{block}.{name}"
            message = f"image.{field} would bake {name} into the image, but {reason}"
            yield image_finding(
                image, "MN803", field, message, hint=f"remove it, or write env: {{{name}: …}} beside image"
            )


def _twice(image: Image) -> Iterator[Diagnostic]:
    for name in image.env.image:
        field = f"env.image.{name}"
        if name in image.env.prepend:
            message = f"image.{field} and image.env.prepend.{name} both set {name}"
            yield image_finding(image, "MN804", field, message, hint="keep one of them")
        elif name == "PATH":
            message = f"image.{field} would drop the folders of the base from PATH"
            yield image_finding(image, "MN804", field, message, hint="write env: {prepend: {PATH: [FOLDER]}}")
    has_venv = image.venv != "none" and (image.venv or image.needs_system_python)
    for name in image.env.build:
        other = f"env.prepend.{name}" if name in image.env.prepend else "venv" if name == "PATH" and has_venv else ""
        if other:
            field = f"env.build.{name}"
            message = f"image.{field} and image.{other}, which keeps what is there, both decide {name}"
            yield image_finding(image, "MN804", field, message, hint="keep one of them, or set it in a step")
    for block, variables in (("build", image.env.build), ("image", image.env.image)):
        for name in variables:
            if _is_derived(image, name):
                field = f"env.{block}.{name}"
                message = f"image.{field} and image.{_DERIVED[name]} both decide {name}"
                yield image_finding(image, "MN804", field, message, hint="keep one of them")


def _is_derived(image: Image, name: str) -> bool:
    set_by = {
        "venv": image.venv not in {"", "none"},
        "pip.constraints": bool(image.pip.constraints),
        "gpu_arch": bool(image.gpu_arch),
    }
    return name in _DERIVED and set_by[_DERIVED[name]]


def _values(image: Image) -> Iterator[Diagnostic]:
    named = [(f"{block}.{name}", value) for block, items in _blocks(image) for name, value in items.items()]
    named += [(f"labels.{name}", value) for name, value in image.labels.items()]
    for field, value in named:
        if _CONTROL.search(value):
            message = f"image.{field} holds a line break or another control character, which a Dockerfile cannot hold"
            yield image_finding(image, "MN805", field, message, hint="write the text into a file, in a step")
