"""How rules speak: one finding that names a field, and every other field that takes part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from mngen.diagnostics import Diagnostic, Label, Severity
from mngen.manifest.model import Manifest, Target

_SMALL = frozenset({"A", "An", "At", "Before", "In", "On", "Ports", "The", "With"})
"""First words of sentences that are no names."""

TargetRule: TypeAlias = Callable[[Target], Iterable[Diagnostic]]
ManifestRule: TypeAlias = Callable[[Manifest], Iterable[Diagnostic]]


def finding(target: Target, code: str, field: str, message: str, *, hint: str, other: Sequence[str] = ()) -> Diagnostic:
    """Build an error at ``field`` with a label at each of the ``other`` fields that were written."""
    span = target.span(field)
    labels = []
    for path in other:
        place = target.spans.get(path)  # not of an ancestor, which does not set it
        if place is not None and place != span:
            labels.append(Label(place, f"{path} is set here"))
    return Diagnostic(code, Severity.ERROR, message, span, hint, tuple(labels))


def warning(target: Target, code: str, field: str, message: str, *, hint: str, other: Sequence[str] = ()) -> Diagnostic:
    """Build a warning, as :func:`finding` builds an error."""
    return graded(Severity.WARNING, finding(target, code, field, message, hint=hint, other=other))


def note(target: Target, code: str, field: str, message: str, *, hint: str, other: Sequence[str] = ()) -> Diagnostic:
    """Build a note, as :func:`finding` builds an error."""
    return graded(Severity.NOTE, finding(target, code, field, message, hint=hint, other=other))


def graded(severity: Severity, diagnostic: Diagnostic) -> Diagnostic:
    """Return a finding with another severity."""
    return replace(diagnostic, severity=severity)


def of_targets(rules: Sequence[TargetRule], manifest: Manifest) -> Iterator[Diagnostic]:
    """Yield what rules on one target say of all of a manifest's, each thing once, rule by rule.

    A field at the top of the manifest is part of every target, so the same finding may come up many
    times. It is reported once; when only some of the targets have it, the message says which.
    """
    found: dict[int, dict[Diagnostic, dict[str, None]]] = {}  # most rules find nothing in most manifests
    for target in manifest.targets:  # all rules on one: what is collected of a target is kept for the next rule
        for number, rule in enumerate(rules):
            for diagnostic in rule(target):
                found.setdefault(number, {}).setdefault(diagnostic, {})[target.name] = None
    for number in sorted(found):
        yield from (_of(diagnostic, list(names), manifest) for diagnostic, names in found[number].items())


def _of(diagnostic: Diagnostic, names: Sequence[str], manifest: Manifest) -> Diagnostic:
    if len(names) == len(manifest.targets):
        return diagnostic
    word = "target" if len(names) == 1 else "targets"
    return replace(diagnostic, message=f"{diagnostic.message} ({word} {', '.join(names)})")


def clause(sentence: str) -> str:
    """Return a sentence of the capability table as it stands inside another one."""
    first, blank, rest = sentence.removesuffix(".").partition(" ")
    return (first.lower() if first in _SMALL else first) + blank + rest
