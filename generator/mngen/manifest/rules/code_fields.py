"""``code``: a commit that stays."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about a repository without a commit or tag."""
    code = target.code
    if code is not None and code.git is not None and code.ref is None:
        yield warning(
            target,
            "MN296",
            "code.git",
            "code.git has no ref: each attempt may run other code",
            hint="write ref: with a commit or tag",
        )
