"""Lines that end with a backslash, as pasted commands have them, in a text whose line breaks YAML takes away."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mngen.manifest.node import Node, Scalar

_JOINED = re.compile(r"\\[ \t]")
_BLANK_BEHIND = re.compile(r"\\[ \t]+\n")


def lost(path: str, node: Node, lines: Sequence[str], *, words: bool) -> tuple[str, str] | None:
    """Return message and hint for a backslash that was to join two lines and stands before a blank now.

    ``words`` is true of a command, in which a blank behind the backslash of a ``|`` block does the same.
    """
    value = node.value
    if not isinstance(value, Scalar) or not _JOINED.search(value.spelling):
        return None
    key = path.rpartition(".")[2]
    if value.literal_block:
        if not words or not _BLANK_BEHIND.search(value.spelling):
            return None
        return f"`{path}`: a blank stands behind the backslash that ends a line", "remove blanks at the ends of lines"
    first, last = node.span.line or 0, node.span.end_line or 0
    if not 0 < first <= last <= len(lines) + 1 or not any(
        line.rstrip().endswith("\\") for line in lines[first - 1 : last - 1]
    ):
        return None
    message = (
        f"`{path}`: YAML joins these lines with a blank, which a backslash at the end of a line makes part of a word"
    )
    folded = lines[first - 1][(node.span.column or 1) - 1 :].startswith(">")
    if folded:
        return message, "write `|` in the place of `>`"
    return message, f"write `{'- |' if key.isdecimal() else f'{key}: |'}` and these lines below it, each indented"
