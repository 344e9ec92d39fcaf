"""A rule that looks at several files at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from mngen.checks.foreign.document import Document
from mngen.diagnostics import Diagnostic


class RuleAcross(Struct, frozen=True):
    """One check of all files of a call."""

    code: str
    check: Callable[[Sequence[Document]], Iterable[Diagnostic]]


def together(first: Document, second: Document) -> bool:
    """Tell whether two files belong together: one's folder holds the other's, or they were named themselves."""
    short, long = sorted((first.group, second.group), key=len)
    return not short or long == short or long.startswith(short + "/")
