"""From YAML events to :class:`Node`: anchors, merge keys, duplicate keys, limits.

Events are used rather than PyYAML's own composer, which recurses without a bound on nested brackets,
hides which tags were written, and resolves scalars by YAML 1.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn

import yaml
from msgspec import Struct
from msgspec.structs import replace

from mngen.diagnostics import Diagnostic, Label, Severity, Span
from mngen.manifest.cut_values import comma_hint, entry
from mngen.manifest.key_names import ITEM, refused_name
from mngen.manifest.node import Node, Scalar
from mngen.manifest.scalars import plain_scalar, quoted_scalar
from mngen.manifest.syntax import MOST_DEPTH, too_deep

MOST_NODES = 50_000
"""Values of a document once every alias is written out; a bomb of aliases has billions."""


class Refused(Exception):
    """The document cannot be read on from here; carries the finding."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


class _Anchored(Struct, frozen=True):
    """A value with an anchor; its size and height are those once every alias in it is written out."""

    node: Node
    size: int
    height: int


class Composer:
    """Builds the one document of a stream of events; ``findings`` collects what reading could go on after."""

    def __init__(self, file: str, layer: str) -> None:
        self.findings: list[Diagnostic] = []
        self._events: Iterator[yaml.Event] = iter(())
        self._file = file
        self._layer = layer
        self._anchors: dict[str, _Anchored | None] = {}
        """``None`` while the anchor's own value is being read."""
        self._path: list[str] = []
        """The keys around what is being read."""
        self._count = 0
        """Values so far, aliases counted as if written out."""
        self._deepest = 0
        self.continued: set[int] = set()
        """Numbers of lines that continue a scalar, where a tab is text."""

    def document(self, events: Iterator[yaml.Event]) -> Node | None:
        """Return the root of the document, or ``None`` for an empty file.

        Raises :class:`Refused`, or ``yaml.YAMLError`` from the events.
        """
        self._events = events
        root: Node | None = None
        for event in self._events:
            if not isinstance(event, yaml.DocumentStartEvent):
                continue
            if root is not None:
                self._refuse("MN100", "a second document starts here", event, "a file holds one document: drop `---`")
            root = self._build(next(self._events), 1)
        return root

    def _build(self, event: yaml.Event, depth: int, key_span: Span | None = None) -> Node:
        self._count += 1
        if self._count > MOST_NODES:
            self._refuse("MN107", f"more than {MOST_NODES} values", event, "is this the right file?")
        if depth > MOST_DEPTH:
            raise Refused(too_deep(self._span(event)))
        if isinstance(event, yaml.AliasEvent):
            return replace(self._alias(event, depth), key_span=key_span)
        self._deepest = max(depth, self._deepest)
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            return self._anchored(event.anchor, event, depth, key_span)
        return self._value(event, depth, key_span)

    def _value(self, event: yaml.Event, depth: int, key_span: Span | None) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            span = self._span(event)
            return Node(self._scalar(event, span), span, key_span, self._layer)
        if isinstance(event, yaml.MappingStartEvent):
            self._check_tag(event, "tag:yaml.org,2002:map")
            return self._map(event, depth, key_span)
        assert isinstance(event, yaml.SequenceStartEvent)
        self._check_tag(event, "tag:yaml.org,2002:seq")
        return self._list(event, depth, key_span)

    def _anchored(self, name: str, event: yaml.Event, depth: int, key_span: Span | None) -> Node:
        self._anchors[name] = None
        before, deepest = self._count - 1, self._deepest
        self._deepest = depth
        node = self._value(event, depth, key_span)
        self._anchors[name] = _Anchored(node, self._count - before, self._deepest - depth + 1)
        self._deepest = max(deepest, self._deepest)
        return node

    def _alias(self, event: yaml.AliasEvent, depth: int) -> Node:
        if event.anchor not in self._anchors:
            message = f"alias `*{event.anchor}` has no anchor above it"
            self._refuse("MN100", message, event, "put the value in quotes if the `*` is meant")
        found = self._anchors[event.anchor]
        if found is None:
            self._refuse("MN100", f"anchor `&{event.anchor}` contains itself", event, "write the values out")
        self._count += found.size - 1
        if self._count > MOST_NODES:
            self._refuse("MN107", f"aliases make this more than {MOST_NODES} values", event, "write the values out")
        self._deepest = max(depth + found.height - 1, self._deepest)
        if self._deepest > MOST_DEPTH:
            raise Refused(too_deep(self._span(event)))
        return found.node

    def _list(self, start: yaml.SequenceStartEvent, depth: int, key_span: Span | None) -> Node:
        items: list[Node] = []
        self._path.append(ITEM)
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._build(event, depth + 1))
        self._path.pop()
        return Node(tuple(items), self._whole(start, event, items), key_span, self._layer)

    def _map(self, start: yaml.MappingStartEvent, depth: int, key_span: Span | None) -> Node:
        own: dict[str, Node] = {}
        read: list[tuple[str, Span, Node]] = []
        refused: list[tuple[str, Span]] = []
        merged: list[Mapping[str, Node]] = []
        merge_span: Span | None = None
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            place = self._span(event)
            if _is_merge(event):
                self._note_duplicate("<<", merge_span, place)
                merge_span = place
                merged += self._merge_sources(next(self._events), depth + 1, depth)
                continue
            key = self._key(event, depth, place, refused)
            self._path.append(key or "")
            child = self._build(next(self._events), depth + 1, place)
            self._path.pop()
            read.append((event.value if isinstance(event, yaml.ScalarEvent) else "", place, child))
            if key is not None:
                self._note_duplicate(key, own[key].key_span if key in own else None, place)
                own.setdefault(key, child)
        for spelling, place in refused:
            self._no_text(spelling, place, comma_hint([entry(*one) for one in read], spelling))
        for source in merged:
            for key, child in source.items():
                own.setdefault(key, child)
        return Node(own, self._whole(start, event, own.values()), key_span, self._layer)

    def _merge_sources(self, event: yaml.Event, depth: int, level: int) -> list[Mapping[str, Node]]:
        """Return the maps that a ``<<`` names, the one that wins first.

        What an alias names is merged at the ``level`` of the map itself, however long a chain of merges it ends.
        """
        if isinstance(event, yaml.SequenceStartEvent):
            if depth > MOST_DEPTH:
                raise Refused(too_deep(self._span(event)))
            sources: list[Mapping[str, Node]] = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                sources += self._merge_sources(event, depth + 1, level)
            return sources
        built = self._build(event, level if isinstance(event, yaml.AliasEvent) else depth)
        if isinstance(built.value, dict):
            return [built.value]
        hint = "write `<<: *name`, where `&name` marks a map"
        self._find("MN103", "`<<` takes a map, or a list of maps", self._span(event), hint)
        return []

    def _key(self, event: yaml.Event, depth: int, place: Span, refused: list[tuple[str, Span]]) -> str | None:
        """Return the key's text, or ``None`` after noting why it is none; ``refused`` gets those that are numbers."""
        if isinstance(event, yaml.ScalarEvent) and event.anchor is None:
            self._count += 1
            scalar: object = self._scalar(event, place)
        else:
            scalar = self._build(event, depth + 1).value
        if not isinstance(scalar, Scalar):
            hint = "in quotes it is text; the placeholder is `${{ x }}`, not `{{ x }}`"
            self._find("MN103", "a map or a list stands where a key is expected", place, hint)
            return None
        if isinstance(scalar.value, str) and scalar.spelling:
            return scalar.spelling
        if not scalar.spelling:
            self._find("MN106", "a key is empty", place, "write the key before the `:`")
        else:
            refused.append((scalar.spelling, place))
        return None

    def _no_text(self, spelling: str, place: Span, hint: str | None) -> None:
        wanted = refused_name(self._path, spelling, self._layer)  # in quotes it would be refused again
        hint = hint or wanted or f'write "{spelling}" in quotes if this text is meant'
        self._find("MN103", f"key `{spelling}` is not text", place, hint)

    def _scalar(self, event: yaml.ScalarEvent, span: Span) -> Scalar:
        self._check_tag(event, "tag:yaml.org,2002:str")
        text = event.value
        if span.line != span.end_line:
            self.continued.update(range((span.line or 0) + 1, (span.end_line or 0) + 1))
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            self._find("MN107", "half a surrogate pair is not a character", span, "write the whole character")
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

    def _span(self, event: yaml.Event) -> Span:
        first, last = event.start_mark, event.end_mark
        assert first is not None
        assert last is not None
        return Span(self._file, first.line + 1, first.column + 1, last.line + 1, last.column + 1)

    def _whole(self, start: yaml.CollectionStartEvent, end: yaml.Event, parts: Iterable[Node]) -> Span:
        """Return the span of a collection; a block ends with its last part, not at the next token."""
        first, last = start.start_mark, end.end_mark
        assert first is not None
        assert last is not None
        closed = (last.line + 1, last.column + 1)
        if not start.flow_style:
            ends = [(part.span.end_line or 0, part.span.end_column or 0) for part in parts]
            closed = max(ends, default=closed)
        return Span(self._file, first.line + 1, first.column + 1, *closed)


def _is_merge(event: yaml.Event) -> bool:
    return isinstance(event, yaml.ScalarEvent) and event.value == "<<" and not event.style and event.tag is None
