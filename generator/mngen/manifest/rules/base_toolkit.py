"""Which CUDA or ROCm an image reference tells of by its name and tag."""

from __future__ import annotations

import re

from mngen.manifest.versions import Version, parse_version

# nvidia/cuda:12.8.1-devel-ubuntu24.04; pytorch:2.6.0-cuda12.4-cudnn9-devel; x:…-cu128; x:…-cu1310
_CUDA_TAG = re.compile(r"(?:^|/)nvidia/cuda:(\d+\.\d+(?:\.\d+)?)")
_CUDA_WORD = re.compile(r"cuda[-_.]?(\d+\.\d+(?:\.\d+)?)")
_CUDA_SHORT = re.compile(r"[-_.]cu(\d{2})(\d)(?!\d)")
# rocm/pytorch:rocm7.2_ubuntu22.04_…; rocm/dev-ubuntu-22.04:7.2.1-complete; vllm:rocm7.2.3; x:…-rocm700
_ROCM_DEV = re.compile(r"(?:^|/)rocm/(?:dev|rocm)[^:]*:(\d+\.\d+(?:\.\d+)?)")
_ROCM_WORD = re.compile(r"rocm[-_.]?(\d+\.\d+(?:\.\d+)?)")


def cuda_of(reference: str) -> Version | None:
    """Return the CUDA version that a reference names, or ``None``."""
    text = reference.lower()
    for pattern in (_CUDA_TAG, _CUDA_WORD):
        match = pattern.search(text)
        if match:
            return parse_version(match[1])
    match = _CUDA_SHORT.search(text)
    return Version((int(match[1]), int(match[2]))) if match else None


def rocm_of(reference: str) -> Version | None:
    """Return the ROCm version that a reference names, or ``None``."""
    text = reference.lower()
    for pattern in (_ROCM_DEV, _ROCM_WORD):
        match = pattern.search(text)
        if match:
            return parse_version(match[1])
    return None
