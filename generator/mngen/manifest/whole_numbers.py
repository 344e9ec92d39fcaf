"""Whole numbers in texts."""

from __future__ import annotations

MOST_DIGITS = 300
"""No field holds a longer number, and Python refuses to read texts from 4300 digits on."""


def whole_number(text: str) -> int | None:
    """Return the number that ASCII digits spell, ``None`` for any other text and beyond ``MOST_DIGITS``.

    ``str.isdigit`` is true of ``²``, which ``int`` refuses, and ``int`` reads ``٣``, which no program but Python does.

    >>> whole_number("08"), whole_number(""), whole_number("-1"), whole_number("²")
    (8, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
