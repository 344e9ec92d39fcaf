"""The contract between an image and the launch files: what the image says about itself.

It is stored as labels and as ``/etc/mngen/image.json``; the file survives the way into a SIF, where
every node can check it before Ray starts. Its digest covers the effective image section of one variant
and nothing else, so that a change outside ``image`` leaves images untouched.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any

from mngen.images import constraints, guard
from mngen.images.indexes import toolkit
from mngen.manifest.base_image import parse_reference
from mngen.manifest.image import Image
from mngen.manifest.image_description import description

PATH = "/etc/mngen/image.json"
LABEL_PREFIX = "io.mngen.image"


@lru_cache(maxsize=8)
def digest(image: Image) -> str:
    """Return ``sha256:…`` over the canonical JSON of the description; places in the manifest do not count."""
    canonical = json.dumps(description(image), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"


def contract(image: Image) -> dict[str, Any]:
    """Return the content of the contract file; facts that are not known are absent."""
    known: dict[str, Any] = {
        "contract": 1,
        "digest": digest(image),
        "reference": image.reference,
        "variant": image.variant,
        "base": image.base,
        "toolkit": toolkit(image),
        "gpu_arch": list(image.gpu_arch),
        "platform": image.platform,
        "python": guard.wanted_python(image),
        "ray": constraints.ray_version(image),
        "torch": image.torch.version,
        "workdir": image.workdir,
        "user": f"{image.user.uid}:{image.user.gid}" if image.user else "",
    }
    return {key: value for key, value in known.items() if value not in ("", [])}


def lines(image: Image) -> tuple[str, ...]:
    """Return the contract file, one fact a line."""
    return tuple(json.dumps(contract(image), indent=2, ensure_ascii=False).split("\n"))


def labels(image: Image) -> dict[str, str]:
    """Return all labels: the OCI ones, the contract's, then the user's, which win."""
    base = parse_reference(image.pinned(image.base))
    facts = contract(image)
    derived = {
        "org.opencontainers.image.ref.name": image.reference,
        "org.opencontainers.image.version": image.tag,
        "org.opencontainers.image.base.name": image.base.partition("@")[0],
        "org.opencontainers.image.base.digest": base.digest if base else "",
        f"{LABEL_PREFIX}.digest": facts["digest"],
        f"{LABEL_PREFIX}.variant": image.variant,
        f"{LABEL_PREFIX}.toolkit": facts.get("toolkit", ""),
        f"{LABEL_PREFIX}.gpu-arch": " ".join(image.gpu_arch),
        f"{LABEL_PREFIX}.python": facts.get("python", ""),
        f"{LABEL_PREFIX}.ray": facts.get("ray", ""),
        f"{LABEL_PREFIX}.torch": image.torch.version,
    }
    return {key: value for key, value in derived.items() if value} | dict(image.labels)
