"""Here-documents of a Dockerfile for hadolint (2.15), whose parser knows fewer of them than BuildKit does.

It wants an empty line below the last end word, no tabs in front of one, no ADD, and of several in an instruction only
those of a COPY.
"""

from __future__ import annotations

from msgspec.structs import replace

from mngen.checks.foreign.document import Document
from mngen.diagnostics import Diagnostic, Severity

_SYNTAX = "DL1000"


def for_hadolint(document: Document) -> tuple[str, list[int]]:
    """Return a Dockerfile's text as hadolint reads it best, and for each of its lines the number in the file."""
    ends = {end for part in document.instructions for end in part.ends}
    last = {part.ends[-1] for part in document.instructions if part.ends}
    lines: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(document.lines, start=1):
        lines += [line.lstrip("\t") if number in ends else line, *([""] if number in last else [])]
        numbers += [number] * (2 if number in last else 1)
    return "\n".join(lines), numbers


def misread(document: Document, found: Diagnostic) -> bool:
    """Tell whether a finding may be a syntax error only because hadolint does not know a here-document."""
    line = found.span.line if found.span is not None else None
    above = any(part.ends and line is not None and part.line <= line for part in document.instructions)
    return found.code == _SYNTAX and above


def told_as_note(found: Diagnostic) -> Diagnostic:
    """Return what to say instead. The words of hadolint stay: the error may be one after all."""
    words = found.message.split("\n", 1)[0]
    return replace(
        found,
        severity=Severity.NOTE,
        message=f"hadolint does not know all here-documents that BuildKit has and stops here ({words}), so its rules "
        "were not applied to this file",
        hint="give each here-document a RUN or COPY of its own; where each has one, the syntax here is wrong",
    )
