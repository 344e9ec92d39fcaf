"""``prepare[].creates``: one path, tested as it stands, which the step can make."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.model import Target
from mngen.manifest.text import spelled

_PLACEHOLDER = re.compile(r"\$\{\{.*?\}\}")
_PATTERN = re.compile(r"[*?]|\[[^\]/]+\]|\{[^{}/]*,[^{}/]*\}")
"""What a shell takes for a pattern, or for several words: bash(1), Pathname Expansion and Brace Expansion."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn of a pattern, which no file is called, and of a path below a mount that is only for reading."""
    for index, step in enumerate(target.prepare):
        if step.creates is None:
            continue
        field, path = f"prepare.{index}.creates", spelled(step.creates)
        found = _PATTERN.search(_PLACEHOLDER.sub("", path))
        if found is not None:
            message = f"{field} holds {found[0]}, but is tested as it stands: the step would run every time"
            hint = "name one file, which the step makes last: creates: /data/.prepared, with `touch /data/.prepared`"
            yield warning(target, "MN307", field, message, hint=hint)
        mount = _mount(target, path) if target.runtime.is_container else None
        if mount is not None and target.mounts[mount].mode == "ro":
            message = f"{field} is {path}, below mounts.{mount}, which is only for reading: the step cannot make it"
            hint = f"remove mode: ro from mounts.{mount}, or let the step make a file elsewhere"
            yield warning(target, "MN307", field, message, hint=hint, other=(f"mounts.{mount}.mode",))


def _mount(target: Target, path: str) -> int | None:
    """Return the mount that a path lies in: of mounts in mounts, the innermost."""
    places = [
        (len(place), index) for index, place in _places(target) if f"{posixpath.normpath(path)}/".startswith(place)
    ]
    return max(places)[1] if places else None


def _places(target: Target) -> Iterator[tuple[int, str]]:
    for index, mount in enumerate(target.mounts):
        yield index, f"{posixpath.normpath(mount.place)}/"
