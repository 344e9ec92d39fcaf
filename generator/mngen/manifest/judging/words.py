"""Reading raw option lists: which option a word is, and what belongs to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from mngen.manifest.text import Text


class Option(Struct, frozen=True):
    """An option found in a raw list: its long name, its value if it has one, and the index of its word."""

    name: str
    value: str | None
    index: int


def option_name(word: str) -> str | None:
    """Return the option that a word begins with (``--port`` of ``--port=6379``), or ``None`` for a plain word."""
    if not word.startswith("-") or word in {"-", "--"}:
        return None
    name = word.partition("=")[0].split(maxsplit=1)[0]
    return name if name.startswith("--") else name[:2]


def text_words(texts: Sequence[Text]) -> tuple[str, ...]:
    """Return raw items as plain words; a part known only at run time becomes a NUL, which equals nothing."""
    return tuple("".join(part if isinstance(part, str) else "\0" for part in text.parts) for text in texts)


def read_options(words: Sequence[str], shorts: Mapping[str, str], flags: frozenset[str]) -> Iterator[Option]:
    """Read options from raw items, which may be ``--name=value``, ``--name value``, or two items.

    ``shorts`` maps ``-C`` to ``--constraint``; ``flags`` are the long options that never take a value.
    """
    index = 0
    while index < len(words):
        word = words[index].strip()
        name = option_name(word)
        if name is None:
            index += 1
            continue
        rest = word[len(name) :]
        long = shorts.get(name, name)
        value = _own_value(rest)
        used = 1
        following = words[index + 1] if index + 1 < len(words) else None
        if value is None and long not in flags and following is not None and option_name(following.strip()) is None:
            value, used = following, 2
        yield Option(long, value, index)
        index += used


def _own_value(rest: str) -> str | None:
    text = rest.removeprefix("=").strip() if rest.startswith("=") else rest.strip()
    if not text:
        return "" if rest.startswith("=") else None
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1]
    return text
