"""``prepare``: once Ray runs, only the head goes on; the workers follow it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.model import Target, Where


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a step on every node at a time when the workers run nothing but Ray."""
    if target.resources.nodes == 1:
        return
    for index, step in enumerate(target.prepare):
        if step.on is Where.EVERY_NODE and step.when == "before-driver":
            field = f"prepare.{index}.on"
            message = f"{field} is every-node, but before the driver only the head runs steps"
            yield finding(
                target,
                "MN282",
                field,
                message,
                hint="write when: before-ray, or on: head",
                other=(f"prepare.{index}.when",),
            )
