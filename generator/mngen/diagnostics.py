"""What can be said about a file: where, how bad, why, and how to mend it.

Every complaint of mngen is a :class:`Diagnostic`, a plain value. Nothing here prints;
``mngen.report`` turns a list of diagnostics into text, JSON or annotations.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class Severity(Enum):
    """How much a finding weighs: only ``ERROR`` makes a command fail (``--strict`` raises warnings)."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


NOTHING_TO_DO = "no change is needed"
"""The hint of a note that asks for nothing. Reports for people show such notes only to who wants to know more."""


class Span(Struct, frozen=True):
    """A place in a file. Lines and columns count from 1; ``None`` means unknown."""

    file: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class Label(Struct, frozen=True):
    """A second place that a diagnostic refers to, with a few words on it."""

    span: Span
    text: str


class Diagnostic(Struct, frozen=True):
    """One finding: a stable code (``MN101``), a severity, a place, a message and a hint."""

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    hint: str | None = None
    labels: tuple[Label, ...] = ()


def has_errors(diagnostics: tuple[Diagnostic, ...] | list[Diagnostic], *, strict: bool = False) -> bool:
    """Tell whether any finding makes a command fail; ``strict`` counts warnings too."""
    failing = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
    return any(d.severity in failing for d in diagnostics)


def sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    """Order findings by place, then code, so that reports do not depend on rule order."""
    span = diagnostic.span or Span(file="")
    return (span.file, span.line or 0, span.column or 0, diagnostic.code, diagnostic.message)
