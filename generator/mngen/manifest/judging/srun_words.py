"""Reading ``slurm.srun_args`` as srun does, by getopt_long: one item, one word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mngen.manifest.judging.container_words import NoOption, NoValue
from mngen.manifest.judging.srun_names import FLAGS, KNOWN, OPTIONAL, SHORTS, VALUED
from mngen.manifest.judging.words import Option

_BLANK_IN_NAME = re.compile(r"(--[^\s=]+|-[A-Za-z])\s+(\S.*)", re.DOTALL)
_NUMBER = re.compile(r"-[0-9.]+")


class Refused(Struct, frozen=True):
    """A word at which srun ends: what is wrong with it, and what to write."""

    index: int
    what: str
    hint: str


Found = Option | NoOption | NoValue | Refused


def read_srun_words(words: Sequence[str]) -> Iterator[Found]:
    """Yield what each word is by its full long name, values together with their options.

    An option that is not srun's own is a plugin's: whether it takes the next word is not known.
    """
    index = 0
    while index < len(words):
        word, following = words[index], words[index + 1] if index + 1 < len(words) else None
        used = 1
        for found in _read(word, index):
            if isinstance(found, Option) and _takes_next(found) and following is not None and _is_value(following):
                used = 2
                yield Option(found.name, following, index)
            elif isinstance(found, Option) and found.value is None and found.name in VALUED:
                yield NoValue(found.name, index)
            else:
                yield found
        index += used


def _read(word: str, index: int) -> Iterator[Found]:
    joined = _BLANK_IN_NAME.fullmatch(word)
    if not word.startswith("-") or word in {"-", "--"}:
        yield NoOption(index)
    elif joined is not None:
        hint = f"write two items: {joined[1]!r}, {joined[2]!r}"
        yield Refused(index, "is one word for srun, with the blank in it", hint)
    elif word.startswith("--"):
        yield _long(word, index)
    else:
        yield from _letters(word, index)


def _long(word: str, index: int) -> Found:
    """Return an option by the name that its beginning stands for, if it does for one."""
    name, equals, value = word.partition("=")
    meant = [name] if name in KNOWN else sorted(known for known in KNOWN if known.startswith(name))
    if len(meant) > 1:
        return Refused(index, f"may be short for {' or '.join(meant)}: srun takes it for none", "write the whole name")
    full = meant[0] if meant else name
    if equals and full in FLAGS:
        return Refused(index, f"gives a value to {full}, which takes none", f"write {full}")
    return Option(full, value if equals else None, index)


def _letters(word: str, index: int) -> Iterator[Found]:
    """Yield the options of one word, of which the last may have a value: ``-lN2`` is ``-l -N 2``."""
    rest = word[1:]
    while rest:
        letter, rest = f"-{rest[0]}", rest[1:]
        name = SHORTS.get(letter)
        if name is None:
            hint = "remove it, or write the option's long name, with two dashes"
            yield Refused(index, f"has {letter}, which srun does not know", hint)
            return
        if name not in FLAGS:
            yield Option(name, rest or None, index)
            return
        yield Option(name, None, index)


def _takes_next(option: Option) -> bool:
    return option.value is None and option.name not in FLAGS and option.name not in OPTIONAL


def _is_value(word: str) -> bool:
    return not word.startswith("-") or word == "-" or _NUMBER.fullmatch(word) is not None
