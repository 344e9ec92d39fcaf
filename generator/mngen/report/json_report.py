"""Findings as JSON for programs. The form is versioned: keys are added, never changed, within one number."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from mngen import __version__
from mngen.diagnostics import Diagnostic, Severity, sort_key

FORMAT = 1


def render(diagnostics: Sequence[Diagnostic], extras: Mapping[str, Any] | None = None) -> str:
    """Return one JSON document; ``extras`` are a command's own keys (``changes``, ``unchecked``, ``image``)."""
    ordered = sorted(diagnostics, key=sort_key)
    document = {
        "format": FORMAT,
        "version": __version__,
        "diagnostics": [finding(diagnostic) for diagnostic in ordered],
        "summary": {severity.value: sum(d.severity is severity for d in ordered) for severity in Severity},
        **(extras or {}),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def finding(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return one finding as plain data."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "span": asdict(diagnostic.span) if diagnostic.span is not None else None,
        "labels": [{"span": asdict(label.span), "text": label.text} for label in diagnostic.labels],
    }
