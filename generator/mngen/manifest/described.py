"""The images that a manifest describes: one of each variant, however many targets use it (MN115).

An image's files use the mirrors that all targets of its variant agree on; where they differ, those of the top level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from mngen.diagnostics import Diagnostic, Label, Severity
from mngen.manifest.fabrics import fabric
from mngen.manifest.image import Image
from mngen.manifest.image_description import description
from mngen.manifest.image_parse import described_variants
from mngen.manifest.merge import READY
from mngen.manifest.mirrors import Mirrors
from mngen.manifest.model import Variant
from mngen.manifest.node import Node, child
from mngen.manifest.parse_place import described_image, mirrors
from mngen.manifest.scope import Scope
from mngen.manifest.typed_fields import Fields, place


def described_images(
    document: Node,
    trees: Mapping[str, Node],
    scopes: Mapping[str, Scope],
    parsed: Mapping[str, Image | None],
    top: Scope,
) -> tuple[dict[Variant, Image], list[Diagnostic]]:
    """Return the described images in the order of :class:`Variant`.

    A target may change the description; then all targets of that variant that use it must agree.
    ``parsed`` has the images of the targets that were read already; ``top`` resolves the placeholders of variants
    that no target uses. Findings about a target's own image come with the target.
    """
    images: dict[str, Image] = {}
    users: dict[str, Node] = {}
    sites: dict[str, list[Mirrors]] = {}
    findings: list[Diagnostic] = []
    fabrics: defaultdict[str, set[str]] = defaultdict(set)
    for name, tree in trees.items():
        node = child(tree, "image")
        variant = scopes[name].values["variant"]
        if name in parsed:
            image = parsed[name]
        else:
            image = described_image(Fields(node, "image", scopes[name].fresh()), variant, needed=False)
        if node is None or image is None:
            continue
        if description(images.setdefault(variant, image)) != description(image):
            findings.append(_differs(variant, node, users[variant]))
        users.setdefault(variant, node)
        sites.setdefault(variant, []).append(_mirrors(tree, scopes[name].fresh()))
        fabrics[variant] |= _fabrics(tree)
    node = child(document, "image")
    for variant in described_variants(node) if node is not None else ():
        if variant not in images:
            scope = top.fresh(variant=variant)
            image = described_image(Fields(node, "image", scope), variant, needed=False)
            findings += scope.findings
            images.update({variant: image} if image is not None else {})
    common = _mirrors(document, top.fresh())
    known = {
        variant: replace(
            images[variant.value],
            mirrors=_agreed(sites.get(variant.value, ()), common),
            fabrics=tuple(sorted(fabrics[variant.value])),
        )
        for variant in Variant
        if variant.value in images
    }
    return known, findings


def undescribed(document: Node, trees: Mapping[str, Node]) -> Iterator[Diagnostic]:
    """Refuse a description without variants, of which nothing is built."""
    node = child(document, "image")
    if node is None or not isinstance(node.value, dict) or not node.value or set(READY) & set(node.value):
        return
    images = [node, *(own for tree in trees.values() if (own := child(tree, "image")) is not None)]
    if not any(map(described_variants, images)):
        message = "`image` describes nothing to build: it has no `variants`"
        hint = "write variants: {cuda: {base: …}}, or ref, sif or sqsh for an image that is there already"
        yield Diagnostic("MN105", Severity.ERROR, message, place(node), hint)


def _mirrors(tree: Node, scope: Scope) -> Mirrors:
    return mirrors(Fields(child(tree, "mirrors"), "mirrors", scope))


def _agreed(sites: Sequence[Mirrors], common: Mirrors) -> Mirrors:
    return sites[0] if sites and all(site == sites[0] for site in sites) else common


def _fabrics(tree: Node) -> set[str]:
    """Return the fabric of a target, when its image must have something for it."""
    name = Fields(child(tree, "network"), "network", Scope(values={})).line("fabric")
    chosen = fabric(name)
    return {name} if name and chosen is not None and (chosen.packages or chosen.probe) else set()


def _differs(variant: str, node: Node, other: Node) -> Diagnostic:
    message = f"two targets describe different `{variant}` images, and one name can hold only one"
    hint = "describe the image at the top level, or give one target a ready image"
    return Diagnostic(
        "MN115", Severity.ERROR, message, place(node), hint, (Label(place(other), "the other description"),)
    )
