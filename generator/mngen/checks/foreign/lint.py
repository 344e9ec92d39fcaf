"""Lints files that somebody wrote by hand: mngen's own rules, ShellCheck and hadolint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mngen.checks.foreign.across import RULES_ACROSS
from mngen.checks.foreign.document import Document
from mngen.checks.foreign.linters import linter_findings
from mngen.checks.foreign.places import span_of
from mngen.checks.foreign.reader import read_document
from mngen.checks.foreign.rules import RULES
from mngen.checks.foreign.silence import silence
from mngen.diagnostics import Diagnostic, sort_key

_OWN = frozenset(rule.code for rule in RULES)
_ACROSS = frozenset(rule.code for rule in RULES_ACROSS)


def check_foreign(text: str, file: str, *, lint: bool = True) -> list[Diagnostic]:
    """Return every finding about one foreign file, in order of place; see :func:`check_together`."""
    return check_together([read_document(text, file)], lint=lint)


def check_together(documents: Sequence[Document], *, lint: bool = True) -> list[Diagnostic]:
    """Return every finding about foreign files, also about what they say of each other, in order of place.

    What a file's own comments silence is left out. ``lint=False`` leaves ShellCheck and hadolint out; with it,
    :class:`~mngen.errors.EnvironmentFailure` is raised when ShellCheck is needed and missing.
    """
    found = [item for document in documents for part in document.parts or (document,) for item in _own(part)]
    found += [diagnostic for rule in RULES_ACROSS for diagnostic in rule.check(documents)]
    found = silence(documents, found, _OWN, _ACROSS)
    if lint:
        found += linter_findings(documents)
    return sorted(dict.fromkeys(found), key=sort_key)


def _own(document: Document) -> Iterator[Diagnostic]:
    lines = document.lines
    for rule in RULES:
        if rule.choice and document.rendered:
            continue
        for item in rule.check(document):
            yield Diagnostic(
                code=rule.code,
                severity=item.severity or rule.severity,
                message=item.message,
                span=span_of(item, document.file, lines),
                hint=item.hint,
            )
