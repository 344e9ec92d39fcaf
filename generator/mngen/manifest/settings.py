"""``--set a.b.c=value``: one value laid over everything else (MN112).

The value is taken as written, as a plain YAML scalar: ``--set env.X=a: b`` needs no quoting beyond the
shell's. Only a value that begins with a quote, ``[`` or ``{`` is read as YAML flow, for lists and for text
that looks like a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.manifest.characters import refused_characters
from mngen.manifest.node import Node
from mngen.manifest.scalars import plain_scalar
from mngen.manifest.source import compose

FILE = "--set"
"""File name in the spans of settings; line N is the N-th setting."""

_KEY = r"[A-Za-z0-9_*-]+"
_BYTE = "[\udc80-\udcff]"
_HINT = "write --set path.to.field=value, for example --set resources.nodes=4"


def read_setting(setting: str, number: int) -> Node | Diagnostic:
    """Return the map that the ``number``-th setting stands for, or what is wrong with it."""
    path, equals, text = setting.partition("=")
    keys = path.split(".")
    whole = Span(FILE, number, 1, number, len(setting) + 1)
    if not equals:
        return Diagnostic("MN112", Severity.ERROR, f"`{setting}` has no `=`", whole, _HINT)
    if not all(re.fullmatch(_KEY, key) for key in keys):
        return Diagnostic("MN112", Severity.ERROR, f"`{path}` is no path of keys", whole, _HINT)
    start = len(path) + 1
    value = _value(text, number, start)
    if isinstance(value, Diagnostic):
        return value
    for position in range(len(keys) - 1, -1, -1):
        column = sum(len(key) + 1 for key in keys[:position]) + 1
        key_span = Span(FILE, number, column, number, column + len(keys[position]))
        value = Node(value.value, value.span, key_span, FILE)
        value = Node({keys[position]: value}, whole, None, FILE)
    return value


def _value(text: str, number: int, start: int) -> Node | Diagnostic:
    span = Span(FILE, number, start + 1, number, start + 1 + len(text))
    if refused_characters(text.replace("\n", ""), FILE) or not text.lstrip().startswith(("[", "{", "'", '"')):
        findings = refused_characters(text, FILE)
        if findings:
            message, hint = _refused(text) or (findings[0].message, findings[0].hint)
            return Diagnostic("MN112", Severity.ERROR, f"the value cannot be taken: {message}", span, hint)
        return Node(plain_scalar(text), span, None, FILE)
    root, findings = compose(text, FILE, FILE, (text,))
    if root is None or findings:
        problem = findings[0].message if findings else "no value"
        hint = "a value that begins with a quote, `[` or `{` is read as YAML; put the whole in quotes if it is text"
        return Diagnostic("MN112", Severity.ERROR, f"`{text}`: {problem}", span, hint)
    return _placed(root, span)


def _refused(text: str) -> tuple[str, str] | None:
    """Return what is said of a byte that is no text; Python passes it on as half a surrogate pair (PEP 383)."""
    byte = re.search(_BYTE, text)
    return (f"byte 0x{ord(byte[0]) - 0xDC00:02x} is not UTF-8", "write the value in UTF-8") if byte else None


def _placed(node: Node, span: Span) -> Node:
    """Give every part of a value the place of the whole, which is one argument of the command line."""
    value = node.value
    if isinstance(value, tuple):
        value = tuple(_placed(item, span) for item in value)
    elif isinstance(value, Mapping):
        value = {key: _placed(item, span) for key, item in value.items()}
    return Node(value, span, span if node.key_span else None, FILE)
