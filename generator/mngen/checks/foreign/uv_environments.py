"""The environments that uv makes without being told where: ``.venv`` in the folder of the project.

https://docs.astral.sh/uv/concepts/projects/config/#project-environment-path; a relative UV_PROJECT_ENVIRONMENT counts
from the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from posixpath import join, normpath

_STEP = re.compile(
    r"\bcd[ \t]+[\"']?([^\s\"';&|]+)|(?<![\w.-])uv[ \t]+((?:-[^\s;&|]+[ \t]+)*)(sync|venv|run|add)\b([^&|;\n]*)"
)
_PROJECT = re.compile(r"--(?:directory|project)[= \t]+[\"']?([^\s\"']+)")
_CONTINUED = re.compile(r"\\\n")
_VALUED = frozenset(
    ("-p", "--python", "--prompt", "--index", "--index-url", "--default-index", "--cache-dir", "--link-mode")
)
"""Options of ``uv venv`` whose value may be a word of its own."""


def environments(text: str, folder: str, named: str) -> Iterator[str]:
    """Yield the environments that a step makes in a folder; ``named`` is UV_PROJECT_ENVIRONMENT, or nothing."""
    for step in _STEP.finditer(_CONTINUED.sub(" ", text)):
        changed, before, verb, behind = step.groups()
        if changed:
            folder = normpath(join(folder, changed))
            continue
        if verb == "venv" and _has_operand(behind.split()):
            continue
        own = behind if verb != "run" else ""
        project = _PROJECT.search(f"{before} {own}")
        yield normpath(join(folder, project[1] if project else "", named or ".venv"))


def _has_operand(words: list[str]) -> bool:
    return any(not word.startswith("-") and before not in _VALUED for before, word in pairwise(["", *words]))
