"""Turn the effective trees of all targets into one :class:`Manifest`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from mngen.diagnostics import Diagnostic, has_errors
from mngen.manifest.conforms import Met
from mngen.manifest.definitions import KINDS, Kinds, definition
from mngen.manifest.described import described_images, undescribed
from mngen.manifest.image import Image
from mngen.manifest.layers import Layers, children
from mngen.manifest.model import Manifest, Target, Variant
from mngen.manifest.node import Node, Scalar, child
from mngen.manifest.parse import parse_target, target_scope
from mngen.manifest.resolve import Marked, resolved
from mngen.manifest.schema import validate
from mngen.manifest.scope import Scope
from mngen.manifest.shown import digest
from mngen.manifest.typed_fields import Fields


class Merged(Struct, frozen=True):
    """All layers, and every target's effective tree by name."""

    layers: Layers
    trees: Mapping[str, Node]
    lines: Mapping[str, tuple[str, ...]]
    """Lines of each file, to place findings."""
    kinds: Kinds = ()
    """Kinds of target that other packages bring."""
    met: Met = field(default_factory=dict)
    """What is known from the layers to meet the schema."""


def build_manifest(file: str, merged: Merged, names: tuple[str, ...]) -> tuple[Manifest, list[Diagnostic]]:
    """Return the manifest of the targets in ``names``, and what is wrong with it.

    Images and digest are those of the whole file, whichever targets are asked for.
    """
    document = merged.layers.document()
    top = Scope(values={}, variables=children(document, "vars"), lines=merged.lines)
    workload = Fields(document, "", top).line("name") or ""
    findings = list(top.findings)
    owners = {f"vars.{key}": name for name, tree in reversed([*merged.trees.items()]) for key in children(tree, "vars")}
    scopes = {name: target_scope(name, workload, tree, owners, merged.lines) for name, tree in merged.trees.items()}
    targets: list[Target] = []
    marked: Marked = {}
    for name in names:
        scope = scopes[name].fresh()
        targets.append(parse_target(name, workload, merged.trees[name], scope))
        effective = resolved(_known_fields(merged.trees[name], merged.kinds), scopes[name].fresh(), marked)
        findings += _target_findings(validate(effective, "effective", merged.kinds, merged.met), scope.findings)
    parsed = {target.name: target.built_image for target in targets}
    images, found = described_images(document, merged.trees, scopes, parsed, top.fresh(name=workload))
    if not has_errors([*findings, *found]):
        found += undescribed(document, merged.trees)
    manifest = Manifest(
        name=workload,
        file=file,
        file_name="manifest.yaml" if file == "<stdin>" else _one_line(PurePosixPath(file).name),
        targets=tuple(_with_image(target, images) for target in targets),
        images=images,
        digest=digest({"": document, **merged.trees}),
    )
    return manifest, findings + found


def _with_image(target: Target, images: Mapping[Variant, Image]) -> Target:
    """Return a target that uses a described image with what all targets of its variant ask of that."""
    image = target.built_image
    if image is None or target.variant not in images:
        return target
    return replace(target, built_image=replace(image, fabrics=images[target.variant].fabrics))


def _one_line(name: str) -> str:
    """Return a file's name for comments, in which a line break would begin something else."""
    return "".join(char if char.isprintable() else "?" for char in name)


def _target_findings(judged: list[Diagnostic], parsed: list[Diagnostic]) -> list[Diagnostic]:
    """Return what the schema says of a target's merged fields, and what parsing found beyond that."""
    known = {(finding.code, finding.span) for finding in judged}
    return judged + [finding for finding in parsed if (finding.code, finding.span) not in known]


def _known_fields(tree: Node, kinds: Kinds) -> Node:
    """Leave out shared fields that this kind of target has no use for; a rule notes each of them.

    In the target itself such a field is an error, which the schema reports.
    """
    kind = child(tree, "kind")
    spelled = kind.value.spelling if kind is not None and isinstance(kind.value, Scalar) else ""
    if spelled not in {*KINDS, *dict(kinds)} or not isinstance(tree.value, dict):
        return tree
    known = definition(f"target-{spelled}", kinds)["properties"]
    return replace(tree, value={k: v for k, v in tree.value.items() if k in known or v.layer == "target"})
