"""``debug``: Ray's two debuggers exclude each other."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse post-mortem debugging by the old debugger, which has none."""
    if target.debug.legacy and target.debug.post_mortem:
        yield finding(
            target,
            "MN284",
            "debug.legacy",
            "debug.legacy and debug.post_mortem are both on: post-mortem stops belong to the distributed debugger",
            hint="keep one: post_mortem for the VS Code debugger, legacy for `ray debug`",
            other=("debug.post_mortem",),
        )
