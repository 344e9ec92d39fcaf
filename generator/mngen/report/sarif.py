"""Findings as SARIF 2.1.0, for code scanning services.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. Columns count Unicode code points,
which is what spans hold.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from mngen import __version__
from mngen.codes import CODES
from mngen.diagnostics import Diagnostic, Severity, Span, sort_key

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return a SARIF log with one run."""
    ordered = sorted(diagnostics, key=sort_key)
    rules = sorted({diagnostic.code for diagnostic in ordered})
    driver = {"name": "mngen", "version": __version__, "rules": [_rule(code) for code in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, rules.index(diagnostic.code)) for diagnostic in ordered],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, Any]:
    entry = CODES.get(code)
    if entry is None:
        return {"id": code}
    return {"id": code, "shortDescription": {"text": entry.title}, "fullDescription": {"text": entry.explanation}}


def _result(diagnostic: Diagnostic, rule_index: int) -> dict[str, Any]:
    text = diagnostic.message + (f"\nhint: {diagnostic.hint}" if diagnostic.hint else "")
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": text},
    }
    if diagnostic.span is not None:
        result["locations"] = [_location(diagnostic.span)]
    if diagnostic.labels:
        result["relatedLocations"] = [
            {**_location(label.span), "message": {"text": label.text}} for label in diagnostic.labels
        ]
    return result


def _location(span: Span) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(span.file)}}
    if span.line is not None:
        region = {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        }
        physical["region"] = {key: value for key, value in region.items() if value is not None}
    return {"physicalLocation": physical}


def _uri(file: str) -> str:
    """Return a file's name as a relative URI, byte for byte: not every name is UTF-8 (PEP 383)."""
    return quote(file.replace("\\", "/"), errors="surrogateescape")
