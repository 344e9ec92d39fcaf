"""A YAML file of another tool as plain values with their lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Item:
    """One value: a scalar's text, or its fields, or its entries. ``line`` counts from 1.

    ``first_line`` is where a scalar's text begins: below the ``|`` of a block.
    """

    line: int
    text: str | None = None
    null: bool = False
    block: bool = False
    fields: Mapping[str, Item] = field(default_factory=dict)
    entries: tuple[Item, ...] = ()

    @property
    def first_line(self) -> int:
        """The file's number of the first line of the text."""
        return self.line + 1 if self.block else self.line

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
    return None if node is None else _item(node, {})


def _item(node: yaml.Node, known: dict[int, Item]) -> Item:
    line = node.start_mark.line + 1
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = Item(line)
    if isinstance(node, yaml.MappingNode):
        item = Item(line, fields={str(key.value): _item(value, known) for key, value in node.value})
    elif isinstance(node, yaml.SequenceNode):
        item = Item(line, entries=tuple(_item(entry, known) for entry in node.value))
    else:
        block = isinstance(node, yaml.ScalarNode) and node.style in {"|", ">"}
        item = Item(line, text=str(node.value), null=node.tag.endswith(":null"), block=block)
    known[id(node)] = item
    return item
