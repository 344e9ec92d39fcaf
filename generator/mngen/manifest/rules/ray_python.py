"""The Python that has Ray: told by the command that runs Ray, or by name."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.model import Target
from mngen.manifest.ray_python import tells_python


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a command of Ray that does not tell its Python, where no other field does."""
    ray = target.ray
    if not ray.python and ray.command[-1] and not tells_python(ray.command):
        yield finding(
            target,
            "MN300",
            "ray.command",
            "ray.command does not end in `ray`, or is a text for a shell: it does not tell which Python has Ray",
            hint="name that Python in ray.python, such as [/opt/venv/bin/python3]",
        )
