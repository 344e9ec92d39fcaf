"""``code``: a commit that stays, and that a server knows."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.commits import cut_short
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a place without code for it; warn about a repository without a commit or tag that can be had."""
    code = target.code
    if code is not None and not code.git and not code.path:
        yield finding(
            target,
            "MN105",
            "code",
            "code says nothing of where the code is",
            hint="write path: with its folder, or git: and ref:; else remove code",
        )
    if code is not None and code.git is not None and code.ref is None:
        yield warning(
            target,
            "MN296",
            "code.git",
            "code.git has no ref: each attempt may run other code",
            hint="write ref: with a commit or tag",
        )
    if code is not None and code.git is not None and (said := cut_short("code.ref", code.ref or "")):
        message, hint = said
        yield warning(target, "MN821", "code.ref", message, hint=hint)
