"""Read a YAML file into a tree of :class:`~mngen.manifest.node.Node`, or say where it is no YAML.

The dialect is YAML 1.2 core with merge keys. Duplicate keys, tags, several documents, keys that are not text,
tabs as indentation, control characters and bombs of aliases are findings, all with a place.
"""

from __future__ import annotations

import re

import yaml
from msgspec import Struct

from mngen.diagnostics import Diagnostic, Severity, Span, has_errors
from mngen.manifest.characters import refused_characters, split_lines
from mngen.manifest.compose import Composer, Refused
from mngen.manifest.node import Node, Scalar
from mngen.manifest.syntax import syntax_finding, tab_finding

# The C loader is about ten times as fast; wheels have it, some system packages do not.
_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


_TAB_INDENT = re.compile(r"[ ]*\t[ \t]*(?=[^ \t#])")


class Source(Struct, frozen=True):
    """One file as read: its tree (``None`` when there are errors), what is wrong, and its lines for reports."""

    root: Node | None
    diagnostics: tuple[Diagnostic, ...]
    lines: tuple[str, ...]


def load_text(text: str, file: str, *, layer: str = "manifest") -> Source:
    """Read a file's text, which must be a map at the top.

    ``file`` is its name in messages, ``layer`` the origin noted in each node.
    """
    text = text.removeprefix("\ufeff")
    lines = split_lines(text)
    findings = refused_characters(text, file)
    if findings:
        return Source(None, tuple(findings), lines)
    root, findings = compose(text, file, layer, lines)
    if root is not None and root.value == Scalar("", None):
        root = None
    if root is None and not findings:
        hint = (
            "a manifest starts with `apiVersion: mngen/v1`" if layer == "manifest" else "remove it, or write its fields"
        )
        findings.append(Diagnostic("MN106", Severity.ERROR, "the file is empty", Span(file, 1, 1), hint))
    if root is not None and not isinstance(root.value, dict):
        hint = "write `key: value` lines"
        findings.append(Diagnostic("MN103", Severity.ERROR, "the file holds no map of fields", root.span, hint))
    return Source(None if has_errors(findings) else root, tuple(findings), lines)


def compose(text: str, file: str, layer: str, lines: tuple[str, ...]) -> tuple[Node | None, list[Diagnostic]]:
    """Return the tree of any YAML text, whatever its root, with all findings up to the first syntax error."""
    composer = Composer(file, layer)
    try:
        root = _root(text, composer)
    except Refused as refused:
        return None, [*composer.findings, refused.finding]
    # ValueError: PyYAML's own scanner passes numbers of escapes to chr() unchecked.
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        return None, [*composer.findings, syntax_finding(error, file, lines)]
    return root, [*composer.findings, *_tabs(lines, file, composer.continued)]


def _root(text: str, composer: Composer) -> Node | None:
    """Do as ``yaml.parse``, without asking before each event whether there is one."""
    loader = _LOADER(text)
    try:
        return composer.document(iter(loader.get_event, None))
    finally:
        loader.dispose()


def _tabs(lines: tuple[str, ...], file: str, continued: set[int]) -> list[Diagnostic]:
    """Find tabs as indentation where the parser lets them pass: inside brackets."""
    return [
        tab_finding(Span(file, number, 1, number, len(indent[0]) + 1))
        for number, line in enumerate(lines, 1)
        if number not in continued and (indent := _TAB_INDENT.match(line))
    ]
