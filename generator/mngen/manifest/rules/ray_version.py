"""``ray.version``: one that the capability table covers."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import covered
from mngen.manifest.judging.finding import warning
from mngen.manifest.model import Target
from mngen.manifest.versions import parse_version


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about a version that was never looked at."""
    text = target.ray.version
    if text is None:
        return
    version = parse_version(text)
    if version is not None and version not in covered("ray"):
        yield warning(
            target,
            "MN206",
            "ray.version",
            f"Ray {text} is outside of what mngen's capability table covers ({covered('ray')})",
            hint="expect options to differ; docs/capabilities.md lists what is known of which release",
        )
