"""Keys that the manifest does not have, and what their author probably meant."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest import other_words
from mngen.manifest.cloud_keys import TASK
from mngen.manifest.cut_values import comma_hint, of_map
from mngen.manifest.field_index import fields, find
from mngen.manifest.nearest import hint
from mngen.manifest.node import Node, Scalar, at
from mngen.manifest.other_words import normal
from mngen.manifest.said import where, word
from mngen.manifest.validator import Mismatch

_GENERAL = frozenset({"kind", "path", "command", "run", "name", "source", "target", "file", "type", "value", "gpu"})
"""Keys of many maps: that one exists elsewhere tells nothing."""


def complaints(mismatch: Mismatch, node: Node, root: Node) -> Iterator[Diagnostic]:
    """Return one diagnostic for each unknown key of a map."""
    known, path = list(mismatch.schema.get("properties", ())), mismatch.path
    for key in mismatch.instance:
        if key in known:
            continue
        child = at(node, (key,))
        place = f"`{where(path)}`" if path else where(path) if "targets" in known else _fields_of(mismatch, child)
        message = f"unknown key `{word(key)}` in {place}"
        in_target = _is_target(path) and "targets" not in known
        words = _misplaced(key, mismatch.instance, in_target=in_target) if _is_target(path) else None
        words = comma_hint(of_map(node), key) if mismatch.instance[key] is None else words
        words = words or _a_target(child, path, known) or _other(key, mismatch, known, root)
        yield Diagnostic("MN101", Severity.ERROR, message, child.key_span or child.span, words)


def _other(key: str, mismatch: Mismatch, known: list[str], root: Node) -> str | None:
    """Return what a key of another tool means here, or else the nearest of the keys that are known."""
    path, value, kind = mismatch.path, mismatch.instance[key], _kind(mismatch, root)
    here = "" if _is_target(path) else _canonical(path)
    raw = None
    if here in {"", "resources"}:
        raw = other_words.of_cloud(kind, _kinds(root), normal(key), value, here)
    # A cloud's own word is its own; anywhere else a field of that name comes first.
    first = raw if kind in TASK else None
    meant = first or _meant(key, mismatch, known, kind)
    return meant or raw or hint(key, known, _explain(path))


def _kind(mismatch: Mismatch, root: Node) -> str | None:
    """Return the kind of the target that a map belongs to; ``None`` at the top level, or where none is written."""
    path = mismatch.path
    target = at(root, path[:2]) if path[:1] == ("targets",) and len(path) > 1 else root
    kind = target.value.get("kind") if isinstance(target.value, dict) else None
    return kind.value.spelling if kind is not None and isinstance(kind.value, Scalar) else None


def _kinds(root: Node) -> list[str]:
    """Return the kinds of a manifest's targets."""
    targets = at(root, ("targets",)).value
    kinds = [at(target, ("kind",)).value for target in targets.values()] if isinstance(targets, dict) else []
    return [kind.spelling for kind in kinds if isinstance(kind, Scalar)]


def _fields_of(mismatch: Mismatch, node: Node) -> str:
    """Return what a tree of a target's own fields is: a site file, or all layers of a target merged."""
    kind = mismatch.instance.get("kind")
    return "a site file" if node.layer == "site" or not isinstance(kind, str) else f"a target of kind {kind}"


def _a_target(node: Node, path: tuple[str | int, ...], known: list[str]) -> str | None:
    """Return a hint when a target stands at the top level."""
    is_target = not path and "targets" in known and isinstance(node.value, dict) and "kind" in node.value
    return "a target stands below `targets`" if is_target else None


def _misplaced(key: str, around: dict[str, object], *, in_target: bool) -> str | None:
    """Return a hint when the key is a field of the top level in a target, the reverse, or of another kind of target."""
    field = fields().get(key)
    if field is None:
        return None
    if not in_target:
        return f"`{key}` belongs in a target"
    if not field.in_target:
        return f"`{key}` belongs at the top level of the manifest"
    kind = around.get("kind")
    return f"a {kind} target does not take it; these kinds do: {', '.join(field.kinds)}" if kind else None


def _meant(key: str, mismatch: Mismatch, known: list[str], kind: str | None) -> str | None:
    """Return a hint when the key has another name here, or is at home in another place."""
    path, name = mismatch.path, normal(key)
    if name in known:
        return None
    here = "" if _is_target(path) else _canonical(path)
    around = ("targets",) if _is_target(path) else tuple(step for step in path[-2:] if isinstance(step, str))
    if words := other_words.sentence(name, here, mismatch.instance[key]):
        return words
    meant = other_words.beside(name, around)
    if meant == "target" and meant in mismatch.instance:
        meant = "source"  # `path` beside `target`
    if meant in known:
        return f"did you mean `{meant}`?"
    homes = other_words.homes(name, here, kind)
    for home in homes:
        parent, _, last = home.rpartition(".")
        if parent == here and last in known:
            return f"did you mean `{last}`?"
    if path and name in _GENERAL and not _is_target(path):
        return None
    return "it belongs at " + " or ".join(f"`{home}`" for home in homes) if 1 <= len(homes) <= 3 else None


def _canonical(path: tuple[str | int, ...]) -> str:
    field = find(".".join(str(step) for step in path if isinstance(step, str)))
    return field.path if field else ""


def _is_target(path: tuple[str | int, ...]) -> bool:
    return not path or (len(path) == 2 and path[0] == "targets")


def _explain(path: tuple[str | int, ...]) -> str:
    field = "" if _is_target(path) else _canonical(path)  # the overview has a target's keys as well
    return f"`mngen explain {field}` lists the keys" if field else "`mngen explain` lists the keys"
