"""GPU models in the spellings of SkyPilot's and dstack's catalogues.

The manifest's ``gpu_type`` is spelled as SkyPilot does, in any case; what dstack calls otherwise is listed here.
Both compare names without regard to case.
Sources: https://github.com/skypilot-org/skypilot-catalog (AcceleratorName),
https://github.com/dstackai/gpuhunt/blob/main/src/gpuhunt/_internal/constraints.py
"""

from __future__ import annotations

import re

from mngen.manifest.capabilities import accelerators, gpus

_SIZED = re.compile(r"(?P<model>[a-z0-9]+)-(?P<size>[0-9]{2,3})(?:gb?)?")
"""A model with its memory, as ``a100-80``, ``a100_80gb`` and ``A100-80G`` have it."""

_SKYPILOT = {
    "a100-40gb": "A100",
    "v100-16gb": "V100",
    "h100-80gb": "H100",
    "h200-141gb": "H200",
    "l40s-48gb": "L40S",
    "l4-24gb": "L4",
    "t4-16gb": "T4",
    "mi300x-192gb": "MI300X",
}
"""Models whose memory SkyPilot's name does not say: the plain A100 has 40 GB there, the V100 16."""

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


def normal(name: str) -> str:
    """Return a name in lower case with dashes, and with ``gb`` behind the memory of a model that is known.

    >>> normal("A100_80"), normal("h100-80g"), normal("rtx-4090"), normal("RTX6000-Ada")
    ('a100-80gb', 'h100-80gb', 'rtx-4090', 'rtx6000-ada')
    """
    plain = name.lower().replace("_", "-")
    sized = _SIZED.fullmatch(plain)
    return f"{sized['model']}-{sized['size']}gb" if sized and sized["model"] in gpus() else plain


def skypilot(name: str, memory: int | None) -> str:
    """Return the name that ``accelerators`` takes; ``memory`` in GiB tells the two sizes of A100 and V100 apart."""
    plain = normal(name)
    sized = {("a100", 80): "A100-80GB", ("v100", 32): "V100-32GB"}.get((plain, memory or 0))
    return sized or _SKYPILOT.get(plain, plain.upper())


def in_catalogue(name: str) -> bool:
    """Tell whether SkyPilot's catalogue has a model by the name that :func:`skypilot` writes."""
    return skypilot(name, None).lower() in {one.lower() for one in accelerators("skypilot")}


def takes_memory(name: str) -> bool:
    """Whether memory decides what a model is called on SkyPilot."""
    return normal(name) in {"a100", "v100"}


def dstack(name: str) -> tuple[str, str | None]:
    """Return a model's name, and the memory that the manifest's spelling says: ``a100-80gb`` is A100 with 80GB."""
    plain = normal(name)
    sized = _SIZED.fullmatch(plain)
    if plain not in _DSTACK and sized and sized["model"] in gpus():
        return sized["model"].upper(), f"{sized['size']}GB"
    return _DSTACK.get(plain, (plain.upper(), None))
