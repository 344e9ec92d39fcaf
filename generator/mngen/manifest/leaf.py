"""Read one scalar of the manifest as a typed value; what is wrong with it goes to the scope's findings."""

from __future__ import annotations

import re

from mngen.manifest.node import Node, Scalar
from mngen.manifest.scope import Scope
from mngen.manifest.text import Phase, Text

SIZE = re.compile(r"[0-9]+(\.[0-9]+)?[KMGT](i?B)?")
"""An amount of memory or disk. A bare number is refused: Slurm counts MB, SkyPilot GB, docker bytes."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def integer(scope: Scope, node: Node, path: str) -> int | None:
    """Return a whole number."""
    value = node.value.value if isinstance(node.value, Scalar) else None
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    wrong(scope, node, path, "a whole number")
    return None


def flag(scope: Scope, node: Node, path: str) -> bool | None:
    """Return a boolean."""
    value = node.value.value if isinstance(node.value, Scalar) else None
    if isinstance(value, bool):
        return value
    wrong(scope, node, path, "true or false")
    return None


def text(scope: Scope, node: Node, path: str, phase: Phase, *, empty: bool = False) -> Text:
    """Return a scalar's text by its spelling; ``empty`` allows a quoted empty one."""
    if not filled(scope, node, path, empty=empty):
        return Text(("",))
    scope.warn_cut(path, node)
    scope.refuse_joined(path, node)
    return passable(scope, scope.text(node, phase, path), node, path)


def line(scope: Scope, node: Node, path: str) -> str | None:
    """Return a scalar's text, known at render time and without control characters."""
    found = text(scope, node, path, Phase.RENDER).literal
    if found and _CONTROL.search(found):
        block = "a `|` block ends with a line break: write the value on the key's line"
        hint = block if found.endswith("\n") else "write the value without them"
        scope.report("MN104", f"`{path}` must be one line without control characters", node.span, hint)
        return None
    return found or None


def size(scope: Scope, node: Node, path: str) -> str | None:
    """Return an amount such as ``64G``."""
    spelled = line(scope, node, path)
    if spelled and not SIZE.fullmatch(spelled):
        message = f"`{path}` is `{spelled}`, which is no amount"
        scope.report("MN104", message, node.span, "write a number and a unit: 64G, 512M, 1T")
    return spelled


def filled(scope: Scope, node: Node, path: str, *, empty: bool = False) -> bool:
    """Tell whether a node is a text with something in it; reports it otherwise."""
    if not isinstance(node.value, Scalar):
        wrong(scope, node, path, "text")
        return False
    spelled = node.value.spelling
    if node.value.value is None:
        message = f"`{path}` is `{spelled}`, which YAML reads as no value" if spelled else f"`{path}` is empty"
        hint = f"write '{spelled}' in quotes if this text is meant" if spelled else "write a value, or remove the line"
        scope.report("MN106", message, node.span, f"{hint}; '' is the empty text" if empty else hint)
        return False
    if not empty and not spelled.strip():
        scope.report("MN106", f"`{path}` is an empty text", node.span, "write a value, or remove the line")
        return False
    return True


def passable(scope: Scope, found: Text, node: Node, path: str) -> Text:
    """Return a text unless no argument or environment variable can hold it."""
    if any("\x00" in (part if isinstance(part, str) else part.default or "") for part in found.parts):
        message = f"`{path}` holds a NUL character, which no argument or variable can"
        scope.report("MN104", message, node.span, "remove it; other bytes than text go into a file")
    return found


def wrong(scope: Scope, node: Node, path: str, expected: str) -> None:
    """Report a value of another type than expected."""
    message = f"`{path}` must be {expected}, not {_described(node)}"
    scope.report("MN103", message, node.span, _map_hint(node) if expected == "text" else None)


def _described(node: Node) -> str:
    if isinstance(node.value, Scalar):
        return f"`{node.value.spelling}`" if node.value.spelling else "empty"
    return "a list" if isinstance(node.value, tuple) else "a map"


def _map_hint(node: Node) -> str | None:
    """Say how a text became a map: ``echo foo: bar`` holds a colon and a blank."""
    if not isinstance(node.value, dict) or len(node.value) != 1:
        return None
    return f"`{next(iter(node.value))}: …` reads as a map: put the whole text in quotes, or use a `|` block"
