"""What no process can be given: an argument or variable of more than 128 KiB."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.model import Target
from mngen.manifest.rules.finding import finding, spelled
from mngen.manifest.rules.placed_texts import cluster_texts
from mngen.manifest.text import Text

LIMIT = 131071
"""Bytes of one argument or ``NAME=value``, without its NUL: ``MAX_ARG_STRLEN`` of Linux, execve(2)."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse values that ``execve`` refuses."""
    for field, text in _texts(target):
        value = spelled(text)
        if len(value.encode()) > LIMIT:
            yield finding(
                target,
                "MN295",
                field,
                f"{field} has {len(value.encode())} bytes; Linux gives a process at most {LIMIT} in one item",
                hint="put it into a file (prepare can write one) and give the path",
            )


def _texts(target: Target) -> Iterator[tuple[str, Text]]:
    for field, text in cluster_texts(target):
        if field.startswith(("driver.", "resume.", "services.")):
            yield field, text
    for name, text in target.env:
        yield f"env.{name}", Text((f"{name}=", *text.parts))
