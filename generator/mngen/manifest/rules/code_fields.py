"""``code``: one source, a place for it, and a commit that stays."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.model import Target
from mngen.manifest.rules.finding import finding, warning


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a folder and a repository together, and code without a place in a container."""
    code = target.code
    if code is None:
        return
    if code.path is not None and code.git is not None:
        message = "code has both path and git: which of them is the code?"
        yield finding(target, "MN296", "code.path", message, hint="keep one", other=("code.git",))
    if code.ref is not None and code.git is None:
        message = "code.ref is set, but code.git is not"
        yield finding(target, "MN296", "code.ref", message, hint="remove ref, or write git: URL", other=("code.path",))
    if code.git is not None and code.ref is None:
        yield warning(
            target,
            "MN296",
            "code.git",
            "code.git has no ref: each attempt may run other code",
            hint="write ref: with a commit or tag",
        )
