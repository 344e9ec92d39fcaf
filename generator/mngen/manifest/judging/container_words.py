"""Reading ``container.options`` as the runtime's client reads its command line: one item, one word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mngen.manifest.judging.container_flags import FLAGS, VALUED
from mngen.manifest.judging.container_names import SHORTS
from mngen.manifest.judging.words import Option, text_words
from mngen.manifest.model import Runtime, Target

_NUMBER = re.compile(r"-[0-9.]+")
"""A value that begins as an option does: ``--oom-score-adj -500``."""
_LATE = "\0"
"""What a word begins with that is known only on the node, as ``text_words`` writes it."""
_NOTHING: frozenset[str] = frozenset()


class NoOption(Struct, frozen=True):
    """A word that is neither an option nor the value of one."""

    index: int


class NoValue(Struct, frozen=True):
    """An option that takes a value and has none."""

    name: str
    index: int


def container_options(target: Target) -> Iterator[Option]:
    """Yield the options of ``container.options`` by their long names."""
    for found in read_container_words(target.runtime, text_words(target.container.options)):
        if isinstance(found, Option):
            yield found


def read_container_words(runtime: Runtime, words: Sequence[str]) -> Iterator[Option | NoOption | NoValue]:
    """Yield what each word is, values together with their options; what an unknown option takes is not known."""
    index = 0
    while index < len(words):
        word, following = words[index], words[index + 1] if index + 1 < len(words) else None
        used = 1
        if not word.startswith(("-", _LATE)) or word in {"-", "--"}:
            yield NoOption(index)
        for name, value in _named(runtime, word):
            if value is not None or name in FLAGS.get(runtime, _NOTHING):
                yield Option(name, value, index)
            elif following is not None and _is_value(following):
                used = 2
                yield Option(name, following, index)
            elif name in VALUED.get(runtime, _NOTHING):
                yield NoValue(name, index)
            else:
                yield Option(name, None, index)
        index += used


def _named(runtime: Runtime, word: str) -> Iterator[tuple[str, str | None]]:
    """Yield the options in one word, of which only the last may have a value: ``-it``, ``-v/a:/b``, ``--cpus=4``."""
    shorts, flags = SHORTS.get(runtime, {}), FLAGS.get(runtime, _NOTHING)
    if word.startswith("--") and word != "--":
        name, equals, value = word.partition("=")
        name, _, rest = name.partition(" ")
        yield shorts.get(name, name), rest + equals + value if rest else value if equals else None
    elif word.startswith("-") and len(word) > 1:
        rest = word[1:]
        while rest:
            name, rest = shorts.get(f"-{rest[0]}", f"-{rest[0]}"), rest[1:]
            if name not in flags or rest.startswith("="):
                yield name, rest.removeprefix("=").strip() or None
                return
            yield name, None


def _is_value(word: str) -> bool:
    return not word.startswith("-") or word == "-" or _NUMBER.fullmatch(word) is not None
