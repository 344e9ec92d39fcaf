"""What variables stand for in a command: the words of an array, or those that an unquoted text falls into."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from mngen.checks.foreign.words import Assign, Command, Word

_ARRAY = re.compile(r"\$\{([A-Za-z_]\w*)\[@\]\}")
_PLAIN = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_ALONE = re.compile(r"\$\{[A-Za-z_]\w*(?:\}|[\[:+?=-].*\})|\$[A-Za-z_]\w*", re.DOTALL)
"""An expansion and nothing beside it: ``$x``, ``${x:+--mem=$x}``."""
_MADE = re.compile(r"\$\(|`|\$\{[^}]*\s")
"""What makes a text whose words cannot be told: a command's output, a default with blanks."""
_SINGLE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|('[^']*')", re.DOTALL)
_ROUNDS = 8
"""How often a value is looked up that begins with a variable again."""


class Values(Struct, frozen=True):
    """What a script puts into its arrays, and into those plain variables that hold one text wherever they are read."""

    arrays: Mapping[str, tuple[Word, ...]] = field(default_factory=dict)
    plain: Mapping[str, tuple[Word, ...]] = field(default_factory=dict)

    def arrays_in(self, words: tuple[Word, ...]) -> Iterator[Word]:
        """Yield words with those of a known array in the place of ``"${name[@]}"``."""
        for word in words:
            match = _ARRAY.fullmatch(word.text)
            items = self.arrays.get(match.group(1)) if match else None
            yield from (word,) if items is None else items

    def of(self, word: Word) -> tuple[Word, ...] | None:
        """Return what an unquoted ``$name`` stands for, or ``None`` where that is not known."""
        return self.plain.get(plain_name(word.text))

    def at_front(self, words: tuple[Word, ...]) -> tuple[Word, ...]:
        """Put the value in the place of a variable that stands where a program is named, as far as it is known."""
        for _ in range(_ROUNDS):
            value = self.of(words[0]) if words else None
            if value is None or (len(value) > 1 and not words[0].bare):
                break
            words = (*value, *words[1:])
        return words


def values_of(assigns: Iterable[Assign]) -> Values:
    """Return what assignments leave in variables: of an array all that any of them puts into it."""
    arrays: dict[str, tuple[Word, ...]] = {}
    texts: dict[str, list[Assign]] = {}
    for assign in assigns:
        if assign.value.items is not None:
            arrays[assign.name] = (*arrays.get(assign.name, ()), *assign.value.items)
        else:
            texts.setdefault(assign.name, []).append(assign)
    plain = {name: _words(name, found) for name, found in texts.items() if name not in arrays}
    return Values(arrays, {name: words for name, words in plain.items() if words})


def without_single_quoted(raw: str) -> str:
    """Return a text as long as ``raw``, with blanks for what single quotes keep from the shell's expansions."""
    return _SINGLE.sub(lambda match: re.sub(r"[^\n]", " ", match[1]) if match[1] else match[0], raw)


def plain_name(text: str) -> str:
    """Return the name in ``$name`` or ``${name}``, or an empty text."""
    match = _PLAIN.fullmatch(text)
    return (match.group(1) or match.group(2)) if match else ""


def lasting(commands: Iterable[Command]) -> Iterator[Assign]:
    """Yield the assignments that last beyond their command."""
    return (assign for command in commands for assign in command.assigns if assign.alone)


def is_array(word: Word) -> bool:
    """Tell whether a word stands for all elements of an array."""
    return _ARRAY.fullmatch(word.text) is not None


def is_several(word: Word) -> bool:
    """Tell whether a word may become several even in quotes: an array, or the arguments of the script."""
    return is_array(word) or word.text in {"$@", "$*"}


def is_expansion(word: Word) -> bool:
    """Tell whether a word is an expansion that may become several words, or none."""
    return is_several(word) or (word.bare and _ALONE.fullmatch(word.text) is not None)


def _words(name: str, assigns: list[Assign]) -> tuple[Word, ...]:
    """Return the words of a variable: those of its one text, then what is added to it; none if it has several texts."""
    itself = re.compile(rf"\$(?:{name}\b|\{{{name}\}})")
    whole: dict[str, list[Word]] = {}
    added: list[Word] = []
    for assign in assigns:
        text = assign.value.text
        if _MADE.search(text):
            return ()
        grows = assign.append or itself.match(text)
        words = [Word(part, part, assign.line, bare=True) for part in itself.sub(" ", text.replace("\\\n", "")).split()]
        if grows:
            added += words
        elif words:
            whole[text] = words
    return (*next(iter(whole.values()), ()), *added) if len(whole) < 2 else ()
