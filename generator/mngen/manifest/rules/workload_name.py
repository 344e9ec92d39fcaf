"""The workload's and the targets' names, which become names elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.cloud_names import DSTACK_NAME
from mngen.manifest.judging.finding import finding
from mngen.manifest.model import Target

_SKYPILOT = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")  # sky/utils/common_utils.py
_RESERVED = frozenset({"images"})


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse names that dstack or SkyPilot would refuse, and a target that would share a folder with the images."""
    name = target.workload
    if target.kind == "dstack" and not DSTACK_NAME.fullmatch(name):
        yield finding(
            target,
            "MN290",
            "name",
            f"name {name!r} is no name of a dstack run: it must begin with a lower-case letter and have 2 to 41 "
            "lower-case letters, digits and -",
            hint=f"for example {_mapped(name)!r}",
        )
    elif target.kind == "skypilot" and not _SKYPILOT.fullmatch(name):
        message = f"name {name!r} is no SkyPilot name: it must begin and end with a letter or digit, with . _ - between"
        yield finding(target, "MN290", "name", message, hint=f"for example {_mapped(name)!r}")
    if target.name in _RESERVED:
        message = f"a target cannot be called {target.name}: that folder of the output holds the image files"
        yield finding(target, "MN291", f"targets.{target.name}", message, hint="choose another name")


def _mapped(name: str) -> str:
    text = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if len(text) < 2 or not text[0].isalpha():
        text = f"run-{text}"
    return text[:41].rstrip("-")
