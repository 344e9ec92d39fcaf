"""Findings about a described image."""

from __future__ import annotations

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.image import Image


def image_finding(
    image: Image, code: str, field: str, message: str, *, hint: str, severity: Severity = Severity.ERROR
) -> Diagnostic:
    """Build a finding at a field of an image; ``field`` is its dotted path below ``image``."""
    return Diagnostic(code, severity, message, image.span(field), hint)
