"""The effective manifest of a target as YAML that says where each value was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from mngen.manifest.node import Node, Scalar

_COLUMN = 48
"""Where comments begin, unless the value is longer."""

_SIMPLE_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
_STARTS_OTHER = frozenset("-?:,[]{}#&*!|>'\"%@`")
"""Indicators that cannot begin a plain scalar: https://yaml.org/spec/1.2.2/#53-indicator-characters."""


def yaml_text(tree: Node) -> str:
    """Return a map as YAML; a comment beside each value names its file, line and layer."""
    return "".join(f"{line}\n" for line in _map(tree, ""))


def place(node: Node) -> str:
    """Return where a value comes from, as the comments say it."""
    line = f":{node.span.line}" if node.span.line is not None else ""
    layer = "" if node.layer == "manifest" else f" ({node.layer})"
    return f"{node.span.file}{line}{layer}"


def _map(node: Node, indent: str) -> Iterator[str]:
    assert isinstance(node.value, dict)
    for key, child in node.value.items():
        shown = key if _SIMPLE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
        yield from _value(f"{indent}{shown}:", child, indent + "  ")


def _value(head: str, node: Node, indent: str) -> Iterator[str]:
    """Yield the lines of one value after its key or dash; ``indent`` is that of what is inside."""
    if isinstance(node.value, Scalar):
        yield from _scalar(head, node, node.value, indent)
    elif not node.value:
        yield _commented(f"{head} {'{}' if isinstance(node.value, dict) else '[]'}", node)
    elif isinstance(node.value, dict):
        yield head
        yield from _map(node, indent)
    else:
        yield head
        for item in node.value:
            yield from _item(item, indent)


def _item(node: Node, indent: str) -> Iterator[str]:
    """Yield one item of a list; a map begins beside its dash."""
    if isinstance(node.value, dict) and node.value:
        first, *rest = _map(node, indent + "  ")
        yield f"{indent}- {first.removeprefix(indent + '  ')}"
        yield from rest
    else:
        yield from _value(f"{indent}-", node, indent + "  ")


def _scalar(head: str, node: Node, scalar: Scalar, indent: str) -> Iterator[str]:
    text = scalar.spelling
    if _fits_block(text):
        keep = "" if text.endswith("\n") else "-"
        yield _commented(f"{head} |{keep}", node)
        yield from (f"{indent}{line}" if line else "" for line in text.removesuffix("\n").split("\n"))
    elif scalar.quoted or not _fits_plain(text):
        yield _commented(f"{head} {json.dumps(text, ensure_ascii=False)}", node)
    else:
        yield _commented(f"{head} {text}", node)


def _commented(line: str, node: Node) -> str:
    return f"{line:<{_COLUMN}}  # {place(node)}"


def _fits_block(text: str) -> bool:
    """Tell whether text of several lines can be a ``|`` block without an indentation indicator."""
    lines = text.removesuffix("\n").split("\n")
    return (
        len(lines) > 1
        and lines[0].strip() == lines[0] != ""
        and lines[-1] != ""
        and all(line.isprintable() and (line.strip() or not line) for line in lines)
    )


def _fits_plain(text: str) -> bool:
    """Tell whether text means itself when written without quotes."""
    if not text or text != text.strip() or not text.isprintable():
        return False
    if text[0] in _STARTS_OTHER and not (text[0] in "-?:" and len(text) > 1 and text[1] != " "):
        return False
    return ": " not in text and " #" not in text and not text.endswith(":")
