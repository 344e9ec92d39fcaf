"""Findings and quoted lines without the secrets that somebody typed into a file.

A report ends up in build logs and on pull requests, and the file it is about is one that nobody could check in yet.
Lines are read as lines, not as YAML: the worst of them is in a file that is none. What looks like a secret keeps its
length in a quoted line, so that the marks below it stay right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mngen.diagnostics import Diagnostic, Label, Span
from mngen.manifest.token_shapes import is_gap, token_extents

HIDDEN = "***"
"""What stands for a secret in a message."""

_SHORTEST = 4
"""Shorter texts are taken out of a message only between quotes: they are parts of ordinary words."""

_QUOTED = r"""(?:"(?P<double>[^"]*)"?|'(?P<single>[^']*)'?|"""
_VALUE = _QUOTED + r"""(?P<plain>[^\s"'{\[|>$<&*,}\]#][^,}\]]*?))(?=\s+#|\s*[,}\]]|\s*$)"""
_WORD = _QUOTED + r"""(?P<plain>[^\s"'$<,}\]`]+))"""
_ENDING = r"(?:token|secret|passw(?:or)?d|passphrase|credentials?|(?:api|access|private|secret)[_-]?key)"
_CALLED = rf"(?:[\w.-]*[_.-])?{_ENDING}"
_NAME = rf"(?<![\w.-]){_CALLED}"
_NAMED = (
    rf"""{_NAME}["']?:\s+{_VALUE}""",
    rf"""{_NAME}["']?=\s*{_WORD}""",
    rf"""--{_CALLED}\s+{_WORD}""",
    rf"""\$\{{{_CALLED}:?[-=](?P<plain>[^}}\s"'$]+)""",
    r"""\bwandb\s+login\b.*\b(?P<plain>[0-9a-f]{40})\b""",
)
_ENTRY = rf"""["']?(?P<name>[\w.-]+)["']?(?::\s+|=){_VALUE}"""
_SECTION = r"""(?P<indent>[\s-]*)(?:.*[{,]\s*)?["']?secrets["']?:(?P<rest>\s.*|$)"""
_SETTING = r"(?:targets\.[^.=]+\.)?secrets\.[^=]*=(?P<plain>.*)"
_BLOCK = rf"""(?P<indent>[\s-]*)["']?{_NAME}["']?:\s*[|>][0-9+-]*\s*(?:#.*)?$"""
_MARKS = ("token", "secret", "passw", "passphrase", "credent", "key", "wandb")
"""A line that names a secret in one of these ways holds one of these, in any case: most lines need no pattern."""
_FIELDS = frozenset({"required", "file", "path"})
"""Keys below a name in ``secrets`` whose values are no secrets, with one that is often written for ``file``."""
_NO_SECRET = re.compile(r"(?:|true|false|null|none|~|yes|no|on|off|\d{1,6}|\*+)")
Sources = Mapping[str, Sequence[str]]


class _Found(Struct):
    """The lines of one file with secrets hidden, and what was hidden, by number of line."""

    lines: list[str]
    texts: dict[int, list[str]]


def conceal(diagnostics: Iterable[Diagnostic], sources: Sources) -> tuple[list[Diagnostic], dict[str, Sequence[str]]]:
    """Return findings and the lines that they may quote, without secrets."""
    known = list(diagnostics)
    files = {span.file for diagnostic in known for span in _spans(diagnostic)}
    found = {name: _read(lines) for name, lines in sources.items() if name in files}
    shown = [_without(diagnostic, found) for diagnostic in known]
    return shown, {name: file.lines for name, file in found.items()}


def _spans(diagnostic: Diagnostic) -> Iterator[Span]:
    if diagnostic.span is not None:
        yield diagnostic.span
    yield from (label.span for label in diagnostic.labels)


def _read(lines: Sequence[str]) -> _Found:
    found = _Found([], {})
    section: int | None = None
    block: int | None = None
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip())
        blank = not line.strip()
        section = section if blank or section is None or indent > section else None
        block = block if blank or block is None or indent > block else None
        whole = [(indent, len(line))] if block is not None and not blank else []
        named = _names_secret(line)
        extents = [*whole, *_extents(line, named=named, in_section=section is not None)]
        found.texts[number] = [line[start:end] for start, end in extents]
        found.lines.append(_starred(line, extents))
        begun = re.match(_SECTION, line) if named else None
        opened = re.match(_BLOCK, line, re.IGNORECASE) if named else None
        section = len(begun["indent"]) if begun and section is None else section
        block = len(opened["indent"]) if opened and block is None else block
    return found


def _names_secret(line: str) -> bool:
    folded = line.casefold()
    return any(mark in folded for mark in _MARKS)


def _extents(line: str, *, named: bool, in_section: bool) -> Iterator[tuple[int, int]]:
    """Yield where secrets stand in a line; it may name one (``named``) or stand below them (``in_section``)."""
    yield from token_extents(line)
    for pattern in _NAMED if named else ():
        yield from (_extent(match) for match in re.finditer(pattern, line, re.IGNORECASE) if _is_secret(match))
    setting = re.match(_SETTING, line) if named else None
    if setting and _is_secret(setting):
        yield setting.span("plain")
    begun = None if in_section or not named else re.match(_SECTION, line)
    if in_section or begun:
        start, end = begun.span("rest") if begun else (0, len(line))
        end = start + _closed(line[start:end])
        for match in re.compile(_ENTRY).finditer(line, start, end):
            if match["name"] not in _FIELDS and _is_secret(match):
                yield _extent(match)


def _closed(text: str) -> int:
    """Return where the braces that open a text are closed, its length when they are not or there are none."""
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == "}" and depth == 0:
            return place + 1
    return len(text)


def _group(match: re.Match[str]) -> str:
    return next(name for name in ("double", "single", "plain") if match.groupdict().get(name) is not None)


def _extent(match: re.Match[str]) -> tuple[int, int]:
    return match.span(_group(match))


def _is_secret(match: re.Match[str]) -> bool:
    text = match[_group(match)]
    return not (_NO_SECRET.fullmatch(text.lower()) or is_gap(text)) and not text.startswith(("$", "{", "["))


def _starred(line: str, extents: Iterable[tuple[int, int]]) -> str:
    for start, end in extents:
        line = line[:start] + "*" * (end - start) + line[end:]
    return line


def _without(diagnostic: Diagnostic, found: Mapping[str, _Found]) -> Diagnostic:
    texts = {text for span in _spans(diagnostic) for text in _texts(span, found)}
    return replace(
        diagnostic,
        message=_said(diagnostic.message, texts),
        hint=None if diagnostic.hint is None else _said(diagnostic.hint, texts),
        labels=tuple(Label(label.span, _said(label.text, texts)) for label in diagnostic.labels),
    )


def _texts(span: Span, found: Mapping[str, _Found]) -> Iterator[str]:
    if span.file in found and span.line is not None:
        for number in range(span.line, (span.end_line or span.line) + 1):
            yield from found[span.file].texts.get(number, ())


def _said(message: str, texts: Iterable[str]) -> str:
    for text in sorted(texts, key=len, reverse=True):
        message = _hidden(message, text)
    extents = sorted(token_extents(message), reverse=True)
    for start, end in extents:
        message = message[:start] + HIDDEN + message[end:]
    return message


def _hidden(message: str, text: str) -> str:
    """Take a text out of a message, also where the message has cut or escaped it."""
    for form in dict.fromkeys((text, repr(text)[1:-1], text[:60])):
        if len(form) >= _SHORTEST:
            message = message.replace(form, HIDDEN)
        else:
            message = re.sub(rf"(?<=[`'\"]){re.escape(form)}(?=[`'\"])", lambda _: HIDDEN, message)
    return message
