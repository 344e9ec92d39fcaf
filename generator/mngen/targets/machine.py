"""What SkyPilot and dstack are asked for: sizes, GPUs and images in their spellings."""

from __future__ import annotations

from mngen.launch.sizes import to_bytes
from mngen.manifest.model import Memory, Target
from mngen.manifest.text import Ref, Text

_GIB = 1024**3


def gigabytes(size: str) -> str:
    """A size as a number of gigabytes, without a needless fraction."""
    value = to_bytes(size) / _GIB
    return str(int(value)) if value == int(value) else f"{value:g}"


def memory_gigabytes(memory: Memory | None, cpus: int | None, gpus: int) -> str | None:
    """Memory of one node in gigabytes: per-CPU and per-GPU amounts are multiplied out."""
    if memory is None or memory.per_node == "0":
        return None
    if memory.per_node is not None:
        return gigabytes(memory.per_node)
    factor, size = (cpus or 1, memory.per_cpu) if memory.per_cpu is not None else (gpus or 1, memory.per_gpu)
    return gigabytes(f"{to_bytes(size or '0') * factor}")


def gpu_name(target: Target) -> str | None:
    """The GPU's name in the catalogues' spelling: upper case, ``a100-80gb`` is ``A100-80GB``."""
    return target.resources.gpu_type.upper() if target.resources.gpu_type else None


def image(target: Target) -> str | None:
    """The image's reference: the ready one, else the described one."""
    if target.image is not None and target.image.ref is not None:
        return target.image.ref
    return target.built_image.reference if target.built_image is not None else None


def home_path(source: Text) -> str | None:
    """A path that needs no variable but the user's own home, which becomes ``~``; None for any other."""
    if source.literal is not None:
        return source.literal
    if source.refs == ("env.HOME",) and isinstance(source.parts[0], Ref):
        return "~" + "".join(part for part in source.parts if isinstance(part, str))
    return None
