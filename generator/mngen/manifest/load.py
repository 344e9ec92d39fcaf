"""The one way in: a manifest's text, with overlays and settings, becomes a checked :class:`Manifest`.

Stages run in order: YAML, schema, merge, placeholders and types, rules. All findings of a stage are
returned together; a stage with errors ends the loading. Nothing here reads a file but through
``LoadOptions.read``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

import mngen
from mngen.diagnostics import Diagnostic, has_errors, sort_key
from mngen.manifest import rules
from mngen.manifest.accepts import release_finding
from mngen.manifest.conforms import Met
from mngen.manifest.further_kinds import further_kinds, no_kind
from mngen.manifest.layers import Layers
from mngen.manifest.model import Manifest
from mngen.manifest.node import Node, child
from mngen.manifest.reading import Reading, no_file
from mngen.manifest.said import bracketed
from mngen.manifest.schema import validate
from mngen.manifest.targets import Merged, build_manifest
from mngen.manifest.unused_variables import unused_variables


class LoadOptions(Struct, frozen=True, kw_only=True):
    """What the command line lays over a manifest, and how sibling files are read."""

    overlays: tuple[tuple[str, str], ...] = ()
    """Name and text of each overlay, the last one winning."""
    sets: tuple[str, ...] = ()
    """Settings ``path.to.field=value``, the last one winning."""
    targets: tuple[str, ...] = ()
    """Names of the targets to load; empty means all."""
    read: Callable[[str], str] = no_file
    """Returns the text of a file named relative to the manifest; raises ``OSError`` or ``UnicodeError``."""
    kind: Callable[[str], str | None] = no_kind
    """Returns the definition, as JSON text, of a kind of target that another package brings."""


class Loaded(Struct, frozen=True, kw_only=True):
    """What loading found. ``manifest`` is ``None`` when there are errors."""

    manifest: Manifest | None
    diagnostics: tuple[Diagnostic, ...]
    trees: Mapping[str, Node] = field(default_factory=dict)
    """Each target's effective fields, with the layer and place of every value."""
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Lines of every file that was read, for reports; settings are file ``--set``."""


def load(text: str, file: str, options: LoadOptions | None = None) -> Loaded:
    """Load a manifest; ``file`` is its name in messages. Never raises for what is in the files, but ``kind`` may."""
    options = options or LoadOptions()
    reading = Reading(options.read)
    root = reading.manifest(text, file)
    overlays = reading.overlays(options.overlays)
    settings = reading.settings(options.sets)
    if root is None or has_errors(reading.findings):
        return _ended(reading)
    layers = Layers(root, (*overlays, *settings))
    release = release_finding(child(layers.document(), "mngen"), mngen.__version__)
    if release is not None:
        return _ended(reading, release)
    kinds = further_kinds(layers, options.kind)
    met: Met = {}
    findings = list(validate(root, "manifest", kinds, met))
    for overlay in layers.overlays:
        findings += validate(overlay, "overlay", kinds, met)
    names = reading.wanted(layers, settings, options.targets)
    refused = {finding.span for finding in findings}
    sites = {name: reading.site(layers, name, refused) for name in layers.target_names()}
    if has_errors([*findings, *reading.findings]):
        return _ended(reading, *findings)
    trees = {name: layers.effective(name, sites[name]) for name in layers.target_names()}
    manifest, found = build_manifest(file, Merged(layers, trees, reading.lines, kinds, met), names)
    findings += found
    if not has_errors(findings):
        findings += [*unused_variables(layers, sites.values()), *rules.check(manifest)]
    return Loaded(
        manifest=None if has_errors([*findings, *reading.findings]) else manifest,
        diagnostics=_ordered([*reading.findings, *findings]),
        trees={name: trees[name] for name in names},
        sources=reading.lines,
    )


def _ended(reading: Reading, *findings: Diagnostic) -> Loaded:
    return Loaded(manifest=None, diagnostics=_ordered([*reading.findings, *findings]), sources=reading.lines)


def _ordered(findings: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort by place and drop repeats: targets share fields, and so their findings."""
    return tuple(sorted(dict.fromkeys(map(bracketed, findings)), key=sort_key))
