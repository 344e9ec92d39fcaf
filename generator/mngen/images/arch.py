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


def pattern(arch: str) -> str:
    """Return a shell pattern of the GPUs that code for an architecture runs on, as the vendor's tools name them.

    CUDA code for 8.6 runs on 8.6 to 8.9, on no 9.x, and with ``+PTX`` on all that is newer as well. What ends in ``a``
    runs on that GPU alone, with PTX too; what ends in ``f`` only within the family, which no later major version is in:
    https://docs.nvidia.com/cuda/cuda-programming-guide/01-introduction/cuda-platform.html and
    https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/compute-capabilities.html. For AMD the name must
    be the same; what follows a colon are modes: https://llvm.org/docs/AMDGPUUsage.html#target-id.
    """
    if arch.startswith("gfx"):
        return arch.partition(":")[0]
    number, _, ptx = arch.partition("+")
    major, _, minor = number.rstrip("af").partition(".")
    if number.endswith("a"):
        return f"{major}.{minor}"
    own = f"{major}.[{minor}-9]"
    return f"{own}|{_above(int(major))}" if ptx and not number.endswith("f") else own


def _above(major: int) -> str:
    """All versions whose major number, of at most two digits, is greater."""
    tens, ones = divmod(major, 10)
    digits = "9" if ones + 1 == 9 else f"[{ones + 1}-9]"
    same_tens = [f"{tens or ''}{digits}.?"] if ones < 9 else []
    return "|".join([*same_tens, f"[{tens + 1}-9]?.?"])
