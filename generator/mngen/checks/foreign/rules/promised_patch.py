"""A comment says that a patch is applied, and no step applies one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import CHECKED, Document, Form, Found, Rule
from mngen.diagnostics import Severity

_PROMISE = re.compile(
    r"^\s*#.*\b(?:appl(?:y|ies|ied|ying)\b.*\bpatch(?:es)?\b|patch(?:es)?\b.*\b(?:are|is|get|gets)?\s*applied\b|"
    r"patch(?:es|ing)? (?:for|from|of|vllm|sglang|torch|ray)\b|cherry-pick(?:s|ed|ing)?\b)",
    re.IGNORECASE,
)
_LONGEST = 300
"""So much of a comment is read."""
_DENIED = re.compile(r"\b(?:no|not|without|once|never|unless)\b", re.IGNORECASE)
_APPLIES = re.compile(r"\bpatch\b|\.patch\b|\.diff\b|\bgit\b[^\n]*\b(?:apply|am|cherry-pick|merge)\b|\bsed\b|\bpatch_")


def _check(document: Document) -> Iterator[Found]:
    if document.form not in {Form.DOCKERFILE, Form.APPTAINER} or document.form not in CHECKED:
        return
    for number, line in enumerate(document.lines, start=1):
        if not _PROMISE.match(line[:_LONGEST]) or _DENIED.search(line):
            continue
        after = [part.text for part in document.instructions if part.line + part.text.count("\n") >= number]
        if not any(_APPLIES.search(_without_comments(text)) for text in after):
            yield Found(
                number,
                "this says that something is patched, and no step behind it applies a patch",
                "apply it in a step that fails when it does not fit (`git apply`, `patch --forward`), or remove "
                "the words",
            )


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))


RULE = Rule("MN903", Severity.WARNING, _check)
