"""Plain data of a tree for people and for digests: what was written, not what a number prints as."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii as _quoted

from mngen.manifest.node import Node, Plain, Scalar


def shown(node: Node) -> Plain:
    """Return plain data in which a number whose spelling would be lost (``1e-6``, ``0755``) is text."""
    if isinstance(node.value, Scalar):
        value = node.value.value
        if isinstance(value, bool) or value is None:
            return value
        return value if str(value) == node.value.spelling else node.value.spelling
    if isinstance(node.value, tuple):
        return [shown(item) for item in node.value]
    return {key: shown(item) for key, item in node.value.items()}


def digest(parts: Mapping[str, Node]) -> str:
    """Return the sha256 of trees by name: it changes with any value, not with layout, comments or places."""
    known: dict[int, str] = {}
    trees = [f"{_quoted(name)}: {_canonical(parts[name], known)}" for name in sorted(parts)]
    return hashlib.sha256(f"{{{', '.join(trees)}}}".encode()).hexdigest()


def _canonical(node: Node, known: dict[int, str]) -> str:
    """Return a node as JSON; ``known`` has that of the nodes before, by identity: the trees share most of theirs."""
    if id(node) in known:
        return known[id(node)]
    if isinstance(node.value, Scalar):
        text = f"[{_quoted(node.value.spelling)}, {'true' if isinstance(node.value.value, str) else 'false'}]"
    elif isinstance(node.value, tuple):
        text = f'{{"items": [{", ".join([_canonical(item, known) for item in node.value])}]}}'
    else:
        text = f"[{', '.join([f'[{_quoted(key)}, {_canonical(item, known)}]' for key, item in node.value.items()])}]"
    known[id(node)] = text
    return text
