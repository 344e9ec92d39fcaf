"""Lay one layer of fields over another, keeping where each value came from.

Maps merge key by key; scalars and lists replace. Three places differ, because merging would say what
nobody wrote: ``driver.extra_args`` appends; where a map is a choice (``memory: {per_cpu}`` or
``{per_gpu}``) the upper layer's choice drops the lower's; and a ready image replaces a description.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from mngen.diagnostics import Span
from mngen.manifest.node import Node, Scalar

APPENDED = frozenset({("driver", "extra_args")})
"""Lists to which an upper layer adds."""

CHOICES: Mapping[tuple[str, ...], tuple[frozenset[str], ...]] = {
    ("resources", "memory"): (frozenset({"per_cpu"}), frozenset({"per_gpu"})),
    ("code",): (frozenset({"path"}), frozenset({"git", "ref"})),
    ("services", "*", "ready"): (frozenset({"tcp"}), frozenset({"http"}), frozenset({"command"})),
    ("driver", "runtime_env"): (frozenset({"file"}), frozenset({"working_dir", "env_vars", "pip", "excludes"})),
}
"""Maps that hold one of several groups of keys."""

READY = ("ref", "sif", "sqsh")
"""Keys of ``image`` that name an image which exists already."""


class Origin(Struct, frozen=True):
    """Where an effective value was written: the layer (``manifest``, ``target``, ``site``, …) and the place."""

    layer: str
    span: Span


def merge(lower: Node, upper: Node, path: tuple[str, ...] = ()) -> Node:
    """Return ``upper`` laid over ``lower``; ``path`` is where in a target both stand."""
    below, above = lower.value, upper.value
    if isinstance(below, tuple) and isinstance(above, tuple) and path in APPENDED:
        return replace(upper, value=below + above)
    if not isinstance(below, dict) or not isinstance(above, dict):
        return upper
    kept = {key: node for key, node in below.items() if key not in _dropped(path, below, above)}
    merged = {key: merge(node, above[key], (*path, key)) if key in above else node for key, node in kept.items()}
    merged.update({key: node for key, node in above.items() if key not in kept})
    # The place of a merged map is where its lowest layer opens it; each value inside keeps its own.
    return replace(lower, value=merged)


def _dropped(path: tuple[str, ...], below: Mapping[str, Node], above: Mapping[str, Node]) -> set[str]:
    """Return the keys of the lower map that the upper one's choice puts aside."""
    if path == ("image",):
        return _dropped_image(set(below), set(above))
    groups = CHOICES.get(path) or CHOICES.get((*path[:1], "*", *path[2:]), ())
    chosen = [group for group in groups if group & set(above)]
    return {key for group in groups if chosen and group not in chosen for key in group}


def _dropped_image(below: set[str], above: set[str]) -> set[str]:
    """Return what a layer's ``image`` puts aside of the one below.

    ``ref`` and ``sqsh`` stand for themselves. A ``sif`` may be made from a description, so it stands
    beside one. A new ``repository`` describes another image than a ready one below.
    """
    ready = above & set(READY)
    if ready & {"ref", "sqsh"}:
        return below
    if ready:
        return below & {"ref", "sqsh"}
    return below & set(READY) if "repository" in above else set()


def relabelled(node: Node, layer: str) -> Node:
    """Return a tree whose nodes are all marked as of one layer."""
    value = node.value
    if isinstance(value, tuple):
        value = tuple(relabelled(item, layer) for item in value)
    elif isinstance(value, dict):
        value = {key: relabelled(item, layer) for key, item in value.items()}
    return replace(node, value=value, layer=layer)


def leaves(node: Node) -> Iterator[tuple[str, Node]]:
    """Iterate over the scalars and empty collections of a tree with their dotted paths."""
    for name, part in walk(node):
        if isinstance(part.value, Scalar) or not part.value:
            yield name, part


def walk(node: Node) -> list[tuple[str, Node]]:
    """Return every node of a tree with its dotted path; list items go by their index."""
    found: list[tuple[str, Node]] = []
    _walk(node, "", found)
    return found


def _walk(node: Node, path: str, found: list[tuple[str, Node]]) -> None:
    found.append((path, node))
    if isinstance(node.value, Scalar):
        return
    children = enumerate(node.value) if isinstance(node.value, tuple) else node.value.items()
    for key, child in children:
        _walk(child, f"{path}.{key}" if path else str(key), found)


def origins(node: Node) -> dict[str, Origin]:
    """Return the origin of each value of an effective tree, by dotted path."""
    return {path: Origin(part.layer, part.span) for path, part in leaves(node)}
