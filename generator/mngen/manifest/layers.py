"""Gather the layers of each target, the lowest first, and merge them into its effective fields.

The order is: the manifest's top level, the target, its site file, the overlays, the settings; each
overrides those before it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from mngen.manifest.merge import merge, relabelled
from mngen.manifest.node import Node, child

DOCUMENT_KEYS = ("apiVersion", "mngen", "name", "targets")
"""Top-level keys that are no fields of a target."""


class Layers(Struct, frozen=True):
    """The manifest with what is laid over it, each as read."""

    manifest: Node
    overlays: tuple[Node, ...] = ()
    """Overlays, then settings, in the order of the command line."""

    def document(self) -> Node:
        """Return the manifest with the document keys of all layers and, for what no target overrides, their fields."""
        merged = self.manifest
        for overlay in self.overlays:
            merged = replace(merged, value=merge(_without(merged, ("targets",)), _without(overlay, ("targets",))).value)
        return merged

    def target_names(self, without: tuple[Node, ...] = ()) -> tuple[str, ...]:
        """Return the names of all targets, those that only an overlay has last; ``without`` leaves layers out."""
        names: dict[str, None] = {}
        for layer in (self.manifest, *self.overlays):
            if all(layer is not other for other in without):
                names.update(dict.fromkeys(children(layer, "targets")))
        return tuple(names)

    def site(self, name: str) -> Node | None:
        """Return the node of a target's ``site`` field, whichever layer it is in."""
        found: Node | None = None
        for layer in (self.manifest, *self.overlays):
            target = child(child(layer, "targets"), name)
            own = child(layer, "site") if layer is not self.manifest else None
            found = child(target, "site") or own or found
        return found

    def effective(self, name: str, site: Node | None) -> Node:
        """Return a target's fields with all layers merged; ``site`` is its site file's content.

        What a target says itself wins over its site file, which many manifests share.
        """
        target = child(child(self.manifest, "targets"), name)
        parts = [_without(self.manifest, DOCUMENT_KEYS)]
        if site is not None:
            parts.append(site)
        if target is not None:
            parts.append(relabelled(target, "target"))
        for overlay in self.overlays:
            parts.append(_without(overlay, DOCUMENT_KEYS))
            own = child(child(overlay, "targets"), name)
            if own is not None:
                parts.append(own)
        merged = parts[0]
        for part in parts[1:]:
            merged = merge(merged, part)
        # What complains about the target as a whole should point at it.
        shown = target or merged
        return replace(merged, span=shown.span, key_span=shown.key_span)


def children(node: Node | None, key: str) -> Mapping[str, Node]:
    """Return a nested map's values, empty when there is none."""
    found = child(node, key)
    return found.value if found is not None and isinstance(found.value, dict) else {}


def _without(node: Node, keys: tuple[str, ...]) -> Node:
    if not isinstance(node.value, dict):
        return node
    return replace(node, value={key: value for key, value in node.value.items() if key not in keys})
