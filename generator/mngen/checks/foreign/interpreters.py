"""Programs that run a script or a module of another language than the shell's."""

from __future__ import annotations

import re

_PYTHON = r"python[\d.]*"


def is_python(program: str) -> bool:
    """Tell whether a program is Python, of whatever version: ``python``, ``python3.11``."""
    return re.fullmatch(_PYTHON, program) is not None
