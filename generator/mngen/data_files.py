"""Where the files are that come with mngen: templates, the schema, tables."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path


def folder(package: str) -> Path:
    """Return the folder of an installed package: ``mngen.templates``.

    ``importlib.resources`` also reads packages in archives, from which PyYAML's C library could not be loaded; for
    that it imports a dozen modules, each time.
    """
    return Path(import_module(package).__path__[0])
