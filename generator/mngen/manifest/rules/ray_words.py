"""``ray.start_args`` and its like: every word is an option of ``ray start``, or the value of the one before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.ray_start import ARGUMENT_LISTS, FLAGS, KNOWN, NEWER, VALUED, decided_by
from mngen.manifest.judging.words import text_words
from mngen.manifest.model import Target
from mngen.manifest.nearest import nearest
from mngen.manifest.text import spelled
from mngen.manifest.versions import parse_version

_NUMBER = re.compile(r"-[0-9.]+")
_TWO = re.compile(r"-\S*\s")
_LOUDER = re.compile(r"-v+")
_LATE = "\0"
"""What a word begins with that is known only on the node, as ``text_words`` writes it."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse words at which ``ray start`` ends with its usage, and warn of options that no known Ray has."""
    for name in ARGUMENT_LISTS:
        texts = getattr(target.ray, name)
        words = text_words(texts)
        index = 0
        while index < len(words):
            field = f"ray.{name}.{index}"
            found = _judged(target, field, spelled(texts[index]), words[index:])
            if found is not None:
                yield found
            index += _used(words[index:])


def _used(words: Sequence[str]) -> int:
    """Return how many words belong together; whether an option that no known Ray has takes the next is not known."""
    first, following = words[0], words[1:2]
    takes = first.startswith("-") and "=" not in first and first not in FLAGS and not _LOUDER.fullmatch(first)
    return 2 if takes and following and _is_value(following[0]) else 1


def _judged(target: Target, field: str, written: str, words: Sequence[str]) -> Diagnostic | None:
    name = words[0].partition("=")[0]
    if words[0].startswith(_LATE) or _TWO.match(name) or decided_by(target, name) is not None:
        return None  # what is known on the node, two words in one (MN297), and what a field decides (MN207)
    wrong = _wrong(words[0], words[1] if len(words) > 1 else None)
    if wrong is None:
        return _of_release(target, field, name)
    what, hint = wrong
    return finding(target, "MN316", field, f"{field} {written!r} {what}", hint=hint)


def _wrong(word: str, following: str | None) -> tuple[str, str] | None:
    """Return what is wrong with a word, and what to write."""
    name, equals, _ = word.partition("=")
    found = None
    if not word.startswith("-") or word in {"-", "--"}:
        hint = "remove it, or write the option that it belongs to before it"
        found = "is no option, and `ray start` takes nothing else", hint
    elif name == "--help":
        found = "has `ray start` print its options and end", "remove it"
    elif name in VALUED and not equals and (following is None or not _is_value(following)):
        found = "lacks its value: `ray start` would take the next word for it, or end", f"write one item, {name}=VALUE"
    elif name in FLAGS and equals:
        found = f"gives a value to {name}, which takes none", f"write {name}"
    return found


def _of_release(target: Target, field: str, name: str) -> Diagnostic | None:
    """Refuse an option that is newer than the named Ray, and warn of one that no known Ray has."""
    list_name = field.rpartition(".")[0]
    first, version = parse_version(NEWER.get(name, "")), parse_version(target.ray.version or "")
    if first is not None and version is not None and version < first:
        message = f"{list_name} gives {name}, which Ray {target.ray.version} does not know (only >={NEWER[name]})"
        hint = "remove the option, or change ray.version"
        return finding(target, "MN208", field, message, hint=hint, other=("ray.version",))
    if name in KNOWN or _LOUDER.fullmatch(name):
        return None
    close = nearest(name, KNOWN, 0.75)
    hint = f"did you mean `{close}`?" if close else "remove it, unless `ray start --help` of your Ray has it"
    message = f"{list_name} gives {name}, which no known release of `ray start` has"
    return warning(target, "MN208", field, message, hint=hint)


def _is_value(word: str) -> bool:
    return not word.startswith("-") or word == "-" or _NUMBER.fullmatch(word) is not None
