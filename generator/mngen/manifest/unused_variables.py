"""Variables that no text reads: what their author wanted to change stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.layers import Layers, children
from mngen.manifest.merge import leaves
from mngen.manifest.node import Node, Scalar
from mngen.manifest.placeholders import Placeholder, holds_placeholder, split


def unused_variables(layers: Layers, sites: Iterable[Node | None]) -> Iterator[Diagnostic]:
    """Note each of ``vars`` that neither the manifest nor what is laid over it names."""
    variables = children(layers.document(), "vars")
    if not variables:
        return
    trees = [layers.manifest, *layers.overlays, *(site for site in sites if site is not None)]
    read = {name for tree in trees for name in _names(tree)}
    for name, node in variables.items():
        if f"vars.{name}" not in read:
            hint = f"write ${{{{ vars.{name} }}}} where its value is meant, or remove it"
            yield Diagnostic("MN121", Severity.NOTE, f"nothing reads `vars.{name}`", node.key_span or node.span, hint)


def _names(tree: Node) -> Iterator[str]:
    for _, node in leaves(tree):
        if isinstance(node.value, Scalar) and holds_placeholder(node.value.spelling):
            yield from (part.name for part in split(node.value.spelling) if isinstance(part, Placeholder) and part.name)
