"""``container.options``: every word is an option of the client, or the value of the option before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.container_names import OWN
from mngen.manifest.judging.container_words import NoOption, NoValue, read_container_words
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.words import Option, text_words
from mngen.manifest.model import Runtime, Target
from mngen.manifest.text import spelled

_BLANK_IN_NAME = re.compile(r"(--[^\s=]+|-[A-Za-z])\s+(\S.*)", re.DOTALL)
_NEXT_OPTION = re.compile(r"(\S.*?)\s+(--?[A-Za-z].*)", re.DOTALL)
_FREE_TEXT = frozenset({"--annotation", "--env", "--health-cmd", "--health-startup-cmd", "--label"})
"""Options whose values may hold blanks and dashes: the words of another program."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse words that are no options, options that lack their value, and several words in one item."""
    if target.kind not in {"slurm", "manual"} or target.runtime not in OWN:
        return
    client, taken = ("srun", "the program") if target.runtime is Runtime.PYXIS else (target.runtime.value, "the image")
    for found in read_container_words(target.runtime, text_words(target.container.options)):
        word = spelled(target.container.options[found.index])
        if isinstance(found, NoOption):
            what = f"is no option: {client} would take it for {taken} to start"
            yield _refused(
                target, found.index, word, what, "remove it, or write the option that it belongs to before it"
            )
        elif isinstance(found, NoValue):
            what = f"lacks its value: {client} would take the next word for it"
            yield _refused(target, found.index, word, what, f"write one item, {found.name}=VALUE")
        elif (parts := _parts(target, found)) is not None:
            what = f"is one word for {client}, with the blank in it"
            yield _refused(target, found.index, word, what, f"write two items: {parts[0]!r}, {parts[1]!r}")


def _parts(target: Target, option: Option) -> tuple[str, str] | None:
    """Return the two words that stand in one item, when they do."""
    word = spelled(target.container.options[option.index])
    match = _BLANK_IN_NAME.fullmatch(word)
    if match is None and option.name not in _FREE_TEXT:
        match = _NEXT_OPTION.fullmatch(word)
    return (match[1], match[2]) if match else None


def _refused(target: Target, index: int, word: str, what: str, hint: str) -> Diagnostic:
    field = f"container.options.{index}"
    return finding(target, "MN306", field, f"{field} {word!r} {what}", hint=hint)
