"""The torch guard: a small program inside the image that each install layer is checked with."""

from __future__ import annotations

import json
from functools import cache

from mngen.data_files import folder
from mngen.images.indexes import toolkit
from mngen.manifest.base_image import lacks_python, python_version
from mngen.manifest.image import Image

PATH = "/opt/mngen/torch_guard.py"
WANTED = "/etc/mngen/torch-wanted.json"
RECORD = "/etc/mngen/torch.json"
"""Where the guard writes down the torch that is to be kept."""


def is_active(image: Image) -> bool:
    """Tell whether layers are checked: not when switched off, and not in an image without Python."""
    has_python = image.needs_system_python or not lacks_python(image.base)
    return image.torch.guard and has_python and (image.uses_python or bool(image.steps))


@cache
def program() -> tuple[str, ...]:
    """Return the lines of the guard."""
    source = folder("mngen.templates").joinpath("dockerfiles").joinpath("torch_guard.py")
    return tuple(source.read_text(encoding="utf-8").splitlines())


def wanted_python(image: Image) -> str:
    """Return the Python version that the image must have, or an empty text."""
    return image.python or python_version(image.base)


def wanted(image: Image) -> str:
    """Return what the guard holds torch against, as one line of JSON.

    ``toolkit`` is empty when the version of the base is not known: then only the vendor is checked.
    """
    facts = {
        "variant": image.variant,
        "toolkit": toolkit(image),
        "torch": image.torch.version,
        "python": wanted_python(image),
    }
    return json.dumps(facts)
