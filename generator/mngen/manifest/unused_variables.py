"""Variables that no text reads: what their author wanted to change stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.layers import Layers, children
from mngen.manifest.merge import leaves
from mngen.manifest.node import Node, Scalar
from mngen.manifest.placeholders import Placeholder, holds_placeholder, split


def unused_variables(layers: Layers, sites: Iterable[Node | None]) -> Iterator[Diagnostic]:
    """Note each of ``vars``, of the manifest or a target, that neither the manifest nor what is laid over it names."""
    trees = [layers.manifest, *layers.overlays, *(site for site in sites if site is not None)]
    places = [place for tree in trees for place in (tree, *children(tree, "targets").values())]
    variables = [entry for place in places for entry in children(place, "vars").items()]
    if not variables:
        return
    read = {name for tree in trees for name in _names(tree)}
    for name, node in variables:
        if f"vars.{name}" not in read:
            hint = f"write ${{{{ vars.{name} }}}} where its value is meant, or remove it"
            yield Diagnostic("MN121", Severity.NOTE, f"nothing reads `vars.{name}`", node.key_span or node.span, hint)


def _names(tree: Node) -> Iterator[str]:
    for _, node in leaves(tree):
        if isinstance(node.value, Scalar) and holds_placeholder(node.value.spelling):
            yield from (part.name for part in split(node.value.spelling) if isinstance(part, Placeholder) and part.name)
