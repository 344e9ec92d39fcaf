"""GPU models in the spellings of SkyPilot's and dstack's catalogues.

The manifest's ``gpu_type`` is spelled as SkyPilot does, in any case; what dstack calls otherwise is listed here.
Both compare names without regard to case.
Sources: https://github.com/skypilot-org/skypilot-catalog (AcceleratorName),
https://github.com/dstackai/gpuhunt/blob/main/src/gpuhunt/_internal/constraints.py
"""

from __future__ import annotations

_SKYPILOT = {"a100-40gb": "A100", "h100-80gb": "H100"}
"""Models whose memory SkyPilot's name does not say: the plain A100 has 40 GB there, the only H100 has 80."""

_DSTACK: dict[str, tuple[str, str | None]] = {
    "v100-32gb": ("V100", "32GB"),
    "a100-40gb": ("A100", "40GB"),
    "a100-80gb": ("A100", "80GB"),
    "h100-80gb": ("H100", "80GB"),
    "h100-sxm": ("H100", None),
    "h100-pcie": ("H100", None),
    "h100-nvl": ("H100NVL", None),
    "h200-sxm": ("H200", None),
    "rtxa4000": ("A4000", None),
    "rtxa5000": ("A5000", None),
    "rtxa6000": ("A6000", None),
    "rtx5000-ada": ("RTX5000Ada", None),
    "rtx6000-ada": ("RTX6000Ada", None),
}


def skypilot(name: str, memory: int | None) -> str:
    """Return the name that ``accelerators`` takes; ``memory`` in GiB tells the two sizes of A100 and V100 apart."""
    sized = {("a100", 80): "A100-80GB", ("v100", 32): "V100-32GB"}.get((name.lower(), memory or 0))
    return sized or _SKYPILOT.get(name.lower(), name.upper())


def takes_memory(name: str) -> bool:
    """Whether memory decides what a model is called on SkyPilot."""
    return name.lower() in {"a100", "v100"}


def dstack(name: str) -> tuple[str, str | None]:
    """Return a model's name, and the memory that the manifest's spelling says: ``a100-80gb`` is A100 with 80GB."""
    return _DSTACK.get(name.lower(), (name.upper(), None))
