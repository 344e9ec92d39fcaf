"""Findings as workflow commands, which GitHub shows beside the lines of a pull request.

Syntax and escapes: https://docs.github.com/actions/reference/workflow-commands-for-github-actions and
https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts. Only the start of a span is
given: an end past the end of the file makes GitHub drop the annotation.
"""

from __future__ import annotations

from collections.abc import Sequence

from mngen.diagnostics import Diagnostic, Severity, sort_key

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return one line for each finding."""
    return "".join(_annotation(diagnostic) + "\n" for diagnostic in sorted(diagnostics, key=sort_key))


def _annotation(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    fields: dict[str, str] = {}
    if span is not None and not span.file.startswith("<"):
        fields["file"] = span.file
        if span.line is not None:
            fields["line"] = str(span.line)
            if span.column is not None:
                fields["col"] = str(span.column)
    fields["title"] = diagnostic.code
    text = diagnostic.message + (f"\nhint: {diagnostic.hint}" if diagnostic.hint else "")
    properties = ",".join(f"{key}={_escape_property(value)}" for key, value in fields.items())
    return f"::{_LEVELS[diagnostic.severity]} {properties}::{_escape(text)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
