"""Colours of terminal text. A style never carries meaning alone: the words say it too."""

from __future__ import annotations

from mngen.diagnostics import Severity

_RESET = "\x1b[0m"
_CODES = {
    "bold": "\x1b[1m",
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;32m",
    "frame": "\x1b[1;34m",
    "added": "\x1b[32m",
    "removed": "\x1b[31m",
    "place": "\x1b[36m",
}

STYLE_OF = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def paint(text: str, style: str, *, color: bool) -> str:
    """Return the text in a style, or as it is without colour."""
    return f"{_CODES[style]}{text}{_RESET}" if color and text else text
