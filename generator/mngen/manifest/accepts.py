"""Check the manifest's ``mngen`` field: which releases may render it (MN118)."""

from __future__ import annotations

import re

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.node import Node, Scalar
from mngen.manifest.versions import Range, Version, parse_version

_CLAUSE = re.compile(r"\s*(~=|==|!=|<=|>=|<|>)\s*([0-9]+(?:\.[0-9]+)*)(?:(?:a|b|rc)[0-9]+)?(\.\*)?\s*")


def release_finding(node: Node | None, release: str) -> Diagnostic | None:
    """Return what is wrong when ``release`` is not in the range; ranges that are none are the schema's to report."""
    if node is None or not isinstance(node.value, Scalar) or not isinstance(node.value.value, str):
        return None
    wanted = node.value.spelling
    clauses = [_CLAUSE.fullmatch(part) for part in wanted.split(",")]
    current = parse_version(release)
    if current is None or not all(clauses):
        return None
    limits = [(clause, parse_version(clause[2])) for clause in clauses if clause]
    if all(limit is not None and _accepts(clause[1], limit, bool(clause[3]), current) for clause, limit in limits):
        return None
    return Diagnostic(
        "MN118",
        Severity.ERROR,
        f"this manifest is for mngen {wanted}, and this is {release}",
        node.span,
        "install a release in that range, or widen `mngen` after comparing what changes",
    )


def _accepts(sign: str, limit: Version, wildcard: bool, current: Version) -> bool:
    numbers = limit.numbers
    if wildcard:
        same = (current.numbers + (0,) * len(numbers))[: len(numbers)] == numbers
        return same == (sign == "==")
    if sign == "~=":
        return current >= limit and _accepts("==", Version(numbers[:-1]), True, current)
    return current in Range(((sign, limit),))
