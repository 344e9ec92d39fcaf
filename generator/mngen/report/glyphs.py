"""How text looks in a terminal: escapes for what must not reach it, and widths in columns.

Manifests come from anywhere. A control character or a bidirectional override in one must be shown,
not obeyed (https://trojansource.codes), so every foreign text passes through :func:`visible`.
"""

from __future__ import annotations

import unicodedata

TAB = "    "
"""What a tab is shown as; its true width depends on the terminal's tab stops."""

_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINER = "\u200d"
"""ZERO WIDTH JOINER makes emoji sequences and is harmless."""


def visible_character(character: str) -> str:
    """Return one character as it may be printed: tabs widened, control and format characters escaped."""
    if character == "\t":
        return TAB
    if character != _JOINER and unicodedata.category(character) in _HIDDEN_CATEGORIES:
        return f"\\u{{{ord(character):x}}}"
    return character


def visible(text: str) -> str:
    """Return one line of foreign text without anything that a terminal would obey."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(visible_character(character) for character in text)


def width(text: str) -> int:
    """Count the terminal columns of text that went through :func:`visible`.

    East Asian wide and full-width characters take two columns, combining marks none
    (https://www.unicode.org/reports/tr11/).
    """
    if text.isascii():
        return len(text)
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if character == _JOINER or unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
