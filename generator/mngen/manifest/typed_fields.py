"""Read the fields of one map of the manifest as typed values, with findings instead of exceptions.

The schema has refused most mistakes before; what is checked again here keeps a value of the wrong type
from going any further, whatever the schema says.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from mngen.diagnostics import Span
from mngen.manifest import leaf
from mngen.manifest.model import Script
from mngen.manifest.node import Node, Scalar
from mngen.manifest.placeholders import tighten
from mngen.manifest.scope import Scope
from mngen.manifest.text import Phase, Text
from mngen.manifest.words import NotWordsError, expansions, split_words


class Fields(Struct, frozen=True):
    """A map node (or an absent one) at a dotted ``path``; every reader returns a default for an absent key."""

    node: Node | None
    path: str
    scope: Scope

    def name(self, key: str) -> str:
        """Return the dotted path of a key."""
        return f"{self.path}.{key}" if self.path else key

    def get(self, key: str) -> Node | None:
        """Return the node of a key."""
        if self.node is None or not isinstance(self.node.value, dict):
            return None
        return self.node.value.get(key)

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None

    def is_map(self) -> bool:
        """Tell whether this is a map; reports another value."""
        if self.node is None or isinstance(self.node.value, dict):
            return self.node is not None
        leaf.wrong(self.scope, self.node, self.path, "a map")
        return False

    def section(self, key: str) -> Fields:
        """Return a nested map, empty when absent or no map."""
        found = Fields(self.get(key), self.name(key), self.scope)
        return found if found.node is None or found.is_map() else Fields(None, found.path, self.scope)

    def entries(self, key: str) -> Iterator[tuple[str, Node]]:
        """Iterate over the keys and values of a nested map."""
        section = self.section(key)
        if section.node is not None and isinstance(section.node.value, dict):
            yield from section.node.value.items()

    def items(self, key: str) -> tuple[Node, ...]:
        """Return the nodes of a list."""
        node = self.get(key)
        if node is None:
            return ()
        if not isinstance(node.value, tuple):
            leaf.wrong(self.scope, node, self.name(key), "a list")
            return ()
        return node.value

    def integer(self, key: str, default: int) -> int:
        """Return a whole number."""
        found = self.optional_integer(key)
        return default if found is None else found

    def optional_integer(self, key: str) -> int | None:
        """Return a whole number, or ``None`` when absent."""
        node = self.get(key)
        return None if node is None else leaf.integer(self.scope, node, self.name(key))

    def integers(self, key: str) -> tuple[int, ...]:
        """Return a list of whole numbers."""
        path = self.name(key)
        found = (leaf.integer(self.scope, node, f"{path}.{index}") for index, node in enumerate(self.items(key)))
        return tuple(number for number in found if number is not None)

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return a boolean."""
        node = self.get(key)
        found = None if node is None else leaf.flag(self.scope, node, self.name(key))
        return default if found is None else found

    def text(self, key: str, phase: Phase) -> Text | None:
        """Return a text that must not be empty, such as a path; ``None`` when absent."""
        node = self.get(key)
        return None if node is None else leaf.text(self.scope, node, self.name(key), phase)

    def texts(self, key: str, phase: Phase) -> tuple[Text, ...]:
        """Return a list of texts, any of which may be a quoted empty one."""
        path = self.name(key)
        return tuple(
            leaf.text(self.scope, item, f"{path}.{index}", phase, empty=True)
            for index, item in enumerate(self.items(key))
        )

    def line(self, key: str) -> str | None:
        """Return a name, path or other one-line text known at render time; ``None`` when absent."""
        node = self.get(key)
        return None if node is None else leaf.line(self.scope, node, self.name(key))

    def choice(self, key: str, default: str) -> str:
        """Return one of the words that the schema allows, as written."""
        return self.line(key) or default

    def lines(self, key: str) -> tuple[str, ...]:
        """Return a list of texts known at render time."""
        return tuple(text.literal or "" for text in self.texts(key, Phase.RENDER))

    def size(self, key: str) -> str | None:
        """Return an amount such as ``64G``, in the user's spelling."""
        node = self.get(key)
        return None if node is None else leaf.size(self.scope, node, self.name(key))

    def words(self, key: str, phase: Phase) -> tuple[Text, ...]:
        """Return a command: a list of words, or one string of POSIX words."""
        node = self.get(key)
        path = self.name(key)
        if node is None or not isinstance(node.value, Scalar):
            return self.texts(key, phase)
        if not leaf.filled(self.scope, node, path):
            return ()
        self.scope.refuse_joined(path, node, words=True)
        spelling = tighten(node.value.spelling)
        try:
            words = split_words(spelling)
        except NotWordsError as error:
            self.scope.report("MN117", f"`{path}`: {error}", node.span, error.hint)
            return ()
        if expanded := expansions(spelling.replace("${{", "{{")):
            self.scope.warn_unexpanded(path, expanded, node.span)
        return tuple(leaf.passable(self.scope, word, node, path) for word in self.scope.words(node, words, phase, path))

    def script(self, key: str, phase: Phase) -> Script | None:
        """Return shell text; ``None`` when absent."""
        node = self.get(key)
        path = self.name(key)
        if node is None or not leaf.filled(self.scope, node, path) or not isinstance(node.value, Scalar):
            return None
        self.scope.warn_cut(path, node)
        self.scope.refuse_joined(path, node)
        text = self.scope.text(node, phase, path, inert=True)
        return Script(leaf.passable(self.scope, text, node, path), node.span, node.value.literal_block)


def place(node: Node) -> Span:
    """Return where a field is written: a map's key, else the value itself."""
    return node.key_span if isinstance(node.value, dict) and node.key_span else node.span
