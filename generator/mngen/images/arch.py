"""Which GPUs an image is built for, in the words of each vendor's tools."""

from __future__ import annotations

from mngen.manifest.image import Image

ARCH_VARIABLES = {"cuda": "TORCH_CUDA_ARCH_LIST", "rocm": "PYTORCH_ROCM_ARCH"}

_SEPARATORS = {
    # PyTorch takes blanks and semicolons, FlashInfer splits at blanks alone.
    "cuda": " ",
    # CMake's own list separator, which PyTorch's ROCm build expects.
    "rocm": ";",
}


def arch_variables(image: Image) -> dict[str, str]:
    """Return the variable that extension builds read, unless the user sets it.

    Only the variable of PyTorch is derived: AMDGPU_TARGETS, HIP_ARCHITECTURES and GPU_ARCHS take other
    separators per project, so they pass through ``env`` exactly as given.
    """
    name = ARCH_VARIABLES[image.variant]
    if not image.gpu_arch or name in image.env.build or name in image.env.image:
        return {}
    return {name: _SEPARATORS[image.variant].join(image.gpu_arch)}
