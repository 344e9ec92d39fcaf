"""A YAML file of another tool as plain values with their lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml
from msgspec import Struct, field

from mngen.checks.foreign.lines import Place, matched

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""What ends a line of YAML (1.1, section 4.2), and so counts in the places of its nodes."""


class Item(Struct, frozen=True):
    """One value: a scalar's text, or its fields, or its entries. ``line`` counts from 1.

    ``place`` says where a scalar's text stands: below the ``|`` of a block.
    """

    line: int
    text: str | None = None
    null: bool = False
    place: Place = 1
    fields: Mapping[str, Item] = field(default_factory=dict)
    entries: tuple[Item, ...] = ()

    @property
    def first_line(self) -> int:
        """The file's number of the first line of the text."""
        return self.place if isinstance(self.place, int) else self.place.at(0)

    def texts(self) -> tuple[str, ...]:
        """Return the scalars of a list, or the one scalar."""
        if self.entries:
            return tuple(entry.text for entry in self.entries if entry.text is not None)
        return (self.text,) if self.text is not None else ()


def load(text: str) -> Item | None:
    """Return the file's data; raises ``yaml.YAMLError`` when it does not parse.

    An anchor is read once, however often it is used; one that holds itself ends there.
    """
    node = yaml.compose(text, Loader=_Loader)
    return None if node is None else _item(node, {}, _BREAK.split(text))


def _item(node: yaml.Node, known: dict[int, Item], source: Sequence[str]) -> Item:
    line = node.start_mark.line + 1
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = Item(line)
    if isinstance(node, yaml.MappingNode):
        item = Item(line, fields={str(key.value): _item(value, known, source) for key, value in node.value})
    elif isinstance(node, yaml.SequenceNode):
        item = Item(line, entries=tuple(_item(entry, known, source) for entry in node.value))
    else:
        place = _place(node, source) if isinstance(node, yaml.ScalarNode) else line
        item = Item(line, text=str(node.value), null=node.tag.endswith(":null"), place=place)
    known[id(node)] = item
    return item


def _place(node: yaml.ScalarNode, source: Sequence[str]) -> Place:
    first, last = node.start_mark.line, node.end_mark.line
    if node.style == "|":
        return first + 2
    if node.style == ">":
        below = range(first + 1, min(last + 1, len(source)))
        return matched(node.value, ((number + 1, source[number].strip()) for number in below), first + 2)
    if first == last and "\n" not in node.value:
        return first + 1
    written = [source[first][node.start_mark.column :], *source[first + 1 : last], source[last][: node.end_mark.column]]
    quote = node.style or ""
    inside = enumerate((line.strip().strip(quote or None) for line in written), start=first + 1)
    return matched(node.value, inside, first + 1)
