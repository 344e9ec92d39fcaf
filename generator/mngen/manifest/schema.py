"""Check a document's tree against the manifest's JSON Schema.

The schema says which keys exist at each place and what single values look like. What depends on several fields,
on other layers or on a capability is left to ``mngen.manifest.rules``.
"""

from __future__ import annotations

import re

from mngen.diagnostics import Diagnostic, Severity, Span, sort_key
from mngen.manifest.conforms import Met, conforms
from mngen.manifest.definitions import Kinds, schema
from mngen.manifest.node import Node, Scalar, at

__all__ = ["schema", "validate"]

_VERSION = re.compile(r"mngen/v[0-9]+\Z")


def validate(root: Node, definition: str = "manifest", kinds: Kinds = (), met: Met | None = None) -> list[Diagnostic]:
    """Return everything that is wrong with a tree, ordered by place.

    ``definition`` is ``manifest``, ``overlay`` (the same shape, nothing required), ``target-fields`` (a site file)
    or ``effective`` (one target after all layers were merged). ``kinds`` are those of other packages, whose
    definitions may use any keyword. ``met`` is for trees that share parts with others, and starts empty.
    """
    newer = _other_version(root)
    if newer is not None:
        return [newer]
    if not kinds and conforms(root, definition, met):
        return []
    # Here, not above: jsonschema takes a tenth of a second to import, and only what is wrong needs its words.
    from mngen.manifest.complaints import complaints  # noqa: PLC0415
    from mngen.manifest.validator import mismatches  # noqa: PLC0415

    found = list(mismatches(root, definition, kinds))
    # A value of the wrong type is none of the choices either; the type is what its author can mend.
    mistyped = {mismatch.path for mismatch in found if mismatch.keyword == "type"}
    # Each kind of target has its own example for one and the same mistake; the first will do.
    said: dict[tuple[str, str, Span | None], Diagnostic] = {}
    for diagnostic in (
        diagnostic
        for mismatch in found
        if mismatch.keyword == "type" or mismatch.path not in mistyped
        for diagnostic in complaints(mismatch, root)
    ):
        said.setdefault((diagnostic.code, diagnostic.message, diagnostic.span), diagnostic)
    return sorted(said.values(), key=sort_key)


def _other_version(root: Node) -> Diagnostic | None:
    """Return the one complaint about a manifest of another version, instead of a wall of unknown keys."""
    node = at(root, ("apiVersion",))
    if node is root or not isinstance(node.value, Scalar):
        return None
    written = node.value.spelling
    if written == schema()["definitions"]["apiVersion"]["const"] or not _VERSION.match(written):
        return None
    return Diagnostic(
        "MN114",
        Severity.ERROR,
        f"this release of mngen does not read `{written}`",
        node.span,
        "it reads `mngen/v1`; a newer release may read this manifest",
    )
