"""From YAML events to :class:`Node`: anchors, merge keys, duplicate keys, limits.

Events are used rather than PyYAML's own composer, which recurses without a bound on nested brackets,
hides which tags were written, and resolves scalars by YAML 1.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn

import yaml

from mngen.diagnostics import Diagnostic, Label, Severity, Span
from mngen.manifest.node import Node, Scalar
from mngen.manifest.scalars import plain_scalar, quoted_scalar

MOST_NODES = 50_000
"""Values of a document once every alias is written out; a bomb of aliases has billions."""
MOST_DEPTH = 40
"""Levels of maps and lists; the deepest field of a manifest needs seven."""


class Refused(Exception):
    """The document cannot be read on from here; carries the finding."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class _Built:
    """A node with its size and height, aliases counted as if written out."""

    node: Node
    size: int = 1
    height: int = 1
    children: Mapping[str, _Built] = field(default_factory=dict)
    """Of a map: what a merge key that names it takes over."""


class Composer:
    """Builds the one document of a stream of events; ``findings`` collects what reading could go on after."""

    def __init__(self, events: Iterator[yaml.Event], file: str, layer: str) -> None:
        self.findings: list[Diagnostic] = []
        self._events = events
        self._file = file
        self._layer = layer
        self._anchors: dict[str, _Built | None] = {}
        """``None`` while the anchor's own value is being read."""
        self._count = 0
        self.continued: set[int] = set()
        """Numbers of lines that continue a scalar, where a tab is text."""

    def document(self) -> Node | None:
        """Return the root of the document, or ``None`` for an empty file.

        Raises :class:`Refused`, or ``yaml.YAMLError`` from the events.
        """
        root: Node | None = None
        for event in self._events:
            if not isinstance(event, yaml.DocumentStartEvent):
                continue
            if root is not None:
                self._refuse("MN100", "a second document starts here", event, "a file holds one document: drop `---`")
            root = self._build(next(self._events), 1).node
        return root

    def _build(self, event: yaml.Event, depth: int) -> _Built:
        self._count += 1
        if self._count > MOST_NODES:
            self._refuse("MN107", f"more than {MOST_NODES} values", event, "is this the right file?")
        if depth > MOST_DEPTH:
            self._refuse("MN107", f"nested more than {MOST_DEPTH} levels deep", event, "write it flatter")
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        anchor = event.anchor if isinstance(event, yaml.NodeEvent) else None
        if anchor is not None:
            self._anchors[anchor] = None
        built = self._collection_or_scalar(event, depth)
        if built.size > MOST_NODES:
            self._refuse("MN107", f"aliases make this more than {MOST_NODES} values", event, "write the values out")
        if anchor is not None:
            self._anchors[anchor] = built
        return built

    def _collection_or_scalar(self, event: yaml.Event, depth: int) -> _Built:
        if isinstance(event, yaml.MappingStartEvent):
            self._check_tag(event, "tag:yaml.org,2002:map")
            return self._map(event, depth)
        if isinstance(event, yaml.SequenceStartEvent):
            self._check_tag(event, "tag:yaml.org,2002:seq")
            return self._list(event, depth)
        assert isinstance(event, yaml.ScalarEvent)
        return _Built(Node(self._scalar(event), self._span(event), layer=self._layer))

    def _alias(self, event: yaml.AliasEvent, depth: int) -> _Built:
        if event.anchor not in self._anchors:
            message = f"alias `*{event.anchor}` has no anchor above it"
            self._refuse("MN100", message, event, "put the value in quotes if the `*` is meant")
        built = self._anchors[event.anchor]
        if built is None:
            self._refuse("MN100", f"anchor `&{event.anchor}` contains itself", event, "write the values out")
        if depth + built.height > MOST_DEPTH:
            self._refuse("MN107", f"nested more than {MOST_DEPTH} levels deep", event, "write it flatter")
        return built

    def _list(self, start: yaml.CollectionStartEvent, depth: int) -> _Built:
        items: list[_Built] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._build(event, depth + 1))
        nodes = tuple(item.node for item in items)
        return _collected(Node(nodes, self._span(start, event, nodes), layer=self._layer), items)

    def _map(self, start: yaml.CollectionStartEvent, depth: int) -> _Built:
        own: dict[str, _Built] = {}
        merged: list[_Built] = []
        merge_span: Span | None = None
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key_span = self._span(event)
            if _is_merge(event):
                self._note_duplicate("<<", merge_span, key_span)
                merge_span = key_span
                merged += self._merge_sources(next(self._events), depth + 1)
                continue
            key = self._key(event, depth)
            built = self._build(next(self._events), depth + 1)
            if key is not None:
                self._note_duplicate(key, own[key].node.key_span if key in own else None, key_span)
                own.setdefault(key, replace(built, node=replace(built.node, key_span=key_span)))
        for source in merged:
            for key, child in source.children.items():
                own.setdefault(key, child)
        nodes = {key: child.node for key, child in own.items()}
        span = self._span(start, event, tuple(nodes[k] for k in nodes if nodes[k].span.file == self._file))
        return _collected(Node(nodes, span, layer=self._layer), list(own.values()), own)

    def _merge_sources(self, event: yaml.Event, depth: int) -> list[_Built]:
        """Return the maps that a ``<<`` names, the one that wins first."""
        if isinstance(event, yaml.SequenceStartEvent):
            sources: list[_Built] = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                sources += self._merge_sources(event, depth + 1)
            return sources
        built = self._build(event, depth)
        if isinstance(built.node.value, Mapping):
            return [built]
        hint = "write `<<: *name`, where `&name` marks a map"
        self._find("MN103", "`<<` takes a map, or a list of maps", self._span(event), hint)
        return []

    def _key(self, event: yaml.Event, depth: int) -> str | None:
        """Return the key's text, or ``None`` after noting why it is none."""
        scalar = self._build(event, depth + 1).node.value
        if isinstance(scalar, Scalar) and isinstance(scalar.value, str) and scalar.spelling:
            return scalar.spelling
        if not isinstance(scalar, Scalar):
            hint = "quote it; `{{ x }}` is not a placeholder here, `${{ x }}` is"
            self._find("MN103", "a key is a map or a list", self._span(event), hint)
        elif not scalar.spelling:
            self._find("MN106", "a key is empty", self._span(event), "write the key before the `:`")
        else:
            hint = f'write "{scalar.spelling}" in quotes if this text is meant'
            self._find("MN103", f"key `{scalar.spelling}` is not text", self._span(event), hint)
        return None

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        self._check_tag(event, "tag:yaml.org,2002:str")
        text, span = event.value, self._span(event)
        self.continued.update(range((span.line or 0) + 1, (span.end_line or 0) + 1))
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            self._find(
                "MN107", "half a surrogate pair is not a character", self._span(event), "write the whole character"
            )
            text = ""
        if event.style or event.tag is not None:
            return quoted_scalar(text, literal_block=event.style == "|")
        return plain_scalar(text)

    def _check_tag(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, own: str) -> None:
        if event.tag not in {None, "!", own}:
            shown = event.tag.replace("tag:yaml.org,2002:", "!!")
            hint = "remove it; put the value in quotes if the `!` is meant"
            self._find("MN100", f"the tag `{shown}` has no meaning in a manifest", self._span(event), hint)

    def _note_duplicate(self, key: str, first: Span | None, second: Span) -> None:
        if first is not None:
            label = Label(first, "first written here")
            self._find("MN102", f"duplicate key `{key}`", second, "keep one of the two", (label,))

    def _find(self, code: str, message: str, span: Span, hint: str, labels: tuple[Label, ...] = ()) -> None:
        self.findings.append(Diagnostic(code, Severity.ERROR, message, span, hint, labels))

    def _refuse(self, code: str, message: str, event: yaml.Event, hint: str | None = None) -> NoReturn:
        raise Refused(Diagnostic(code, Severity.ERROR, message, self._span(event), hint))

    def _span(self, start: yaml.Event, end: yaml.Event | None = None, parts: tuple[Node, ...] = ()) -> Span:
        """Return the span of an event or of a collection; a block ends with its last part, not at the next token."""
        first, last = start.start_mark, (end or start).end_mark
        assert first is not None
        assert last is not None
        line, column = last.line + 1, last.column + 1
        if isinstance(start, yaml.CollectionStartEvent) and not start.flow_style and parts:
            line, column = max((p.span.end_line or 0, p.span.end_column or 0) for p in parts)
        return Span(self._file, first.line + 1, first.column + 1, line, column)


def _is_merge(event: yaml.Event) -> bool:
    return isinstance(event, yaml.ScalarEvent) and event.value == "<<" and not event.style and event.tag is None


def _collected(node: Node, parts: list[_Built], children: Mapping[str, _Built] | None = None) -> _Built:
    size = 1 + sum(part.size for part in parts)
    return _Built(node, size, 1 + max((part.height for part in parts), default=0), children or {})
