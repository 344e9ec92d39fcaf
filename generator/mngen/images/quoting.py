"""How a value is written so that bash, a Dockerfile or a definition file reads back the same bytes.

Facts used here:

- A Dockerfile joins lines that end in a backslash, and drops a continued line whose first visible
  character is ``#``; it looks for ``<<WORD`` with a lexer that knows plain quotes but not ``$'…'``
  (``frontend/dockerfile/parser/parser.go`` of https://github.com/moby/buildkit).
- A definition file starts a new section at any line whose first word begins with ``%``, a new stage at
  a line that begins with ``bootstrap:``, and replaces ``{{ name }}`` everywhere
  (``pkg/build/types/parser/deffile.go``, ``internal/pkg/build/args/reader.go`` of
  https://github.com/apptainer/apptainer).
"""

from __future__ import annotations

import re
import shlex
from itertools import zip_longest

CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""Characters that only bash's ``$'…'`` can hold on one line; a tab is harmless."""

_RESERVED = frozenset({"do", "done", "elif", "else", "esac", "fi", "then"})
_ODD_IN_SINGLE = re.compile(r"[$`\u2018\u2019]|\\(?:'|$)")
"""What ShellCheck takes there for a forgotten expansion (SC2016), a quote (SC1112) or an escape (SC1003)."""
_ODD_IN_DOUBLE = re.compile("[\u201c\u201d\u2033\u2036]+")
"""What ShellCheck takes there for a quote (SC1111)."""
_HERE_DOCUMENT = r"<(?=<)"
"""hadolint finds here-documents inside quotes."""
_ARGUMENT = r"\{(?=\{)"
"""Apptainer finds ``{{ name }}`` there."""
_HOME = r"\A~(?=/)"
"""ShellCheck finds a home folder there (SC2088)."""
_SPECIAL_IN_DEFINITION = re.compile(r"^\s*%|^bootstrap:|\{\{|[\x00-\x08\x0b-\x1f\x7f]", re.MULTILINE | re.IGNORECASE)
_APART_IN_TEXT = rf"(?im)(?P<before>^\s*)%|\\*(?:'+|[\u2018\u2019]+|{_ARGUMENT}|^b(?=ootstrap:))|\\+\Z"
"""What cannot stand in a single-quoted text of several lines, for Apptainer or for ShellCheck (SC1003, SC1112)."""
_NOT_IN_TEXT = r"[\x00-\x08\x0b-\x1f\x7f]"


def shell_word(value: str) -> str:
    """Quote one word of RUN for bash; words of harmless characters stay bare."""
    return f"$'{_ansi_c(value)}'" if CONTROL.search(value) else _word(value, _HERE_DOCUMENT)


def docker_value(value: str) -> str:
    r"""Quote the value of ENV, ARG or LABEL, where ``"`` ``$`` and a backslash are special.

    Such an instruction cannot hold a line break; the rules refuse one before rendering. A backslash in
    front of a quote is written outside of the quotes: hadolint takes ``\\"`` for an escaped quote.
    """
    parts = re.split(r"(\\+)(?=\"|$)", value)
    inside = (part.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") for part in parts[::2])
    outside = (part.replace("\\", "\\\\") for part in parts[1::2])
    return "".join(f'"{text}"{bare}' for text, bare in zip_longest(inside, outside, fillvalue=""))


def here_document_name(text: str, wanted: str) -> str:
    """Return a delimiter that no line of the text equals."""
    lines = set(text.split("\n"))
    names = (wanted, *(f"{wanted}_{number}" for number in range(2, len(lines) + 3)))
    return next(name for name in names if name not in lines)


def definition_word(value: str) -> str:
    """Quote one word for a section of a definition file, which sh reads as well, but for control characters."""
    if CONTROL.search(value):
        return re.sub(_ARGUMENT, r"\\x7b", f"$'{_ansi_c(value)}'")
    return _word(value, _ARGUMENT)


def fits_definition(text: str) -> bool:
    """Tell whether lines can stand in a definition file as they are."""
    return _SPECIAL_IN_DEFINITION.search(text) is None


def definition_argument(text: str) -> str:
    """Write a shell text that does not fit as it is as one quoted argument in a definition file.

    What has to be kept apart stands in double quotes between two single-quoted texts. Two of those side by side would
    do for a shell, but ShellCheck takes the second for a quote that was forgotten (SC1078).
    """
    if re.search(_NOT_IN_TEXT, text):
        return definition_word(text)
    return f"'{re.sub(_APART_IN_TEXT, _in_double_quotes, text)}'"


def _in_double_quotes(match: re.Match[str]) -> str:
    before = match["before"] or ""
    found = match.group()[len(before) :].replace("\\", "\\\\")
    return f"{before}'\"{found}\"'"


def _word(value: str, apart: str) -> str:
    """Write a word bare or in quotes such that ShellCheck takes nothing in it for something else.

    Quotes are closed and opened again behind what ``apart`` matches, which changes nothing for a shell. A bare ``fi``
    ShellCheck takes for the end of an ``if`` (SC1010), a bare ``=`` for a comparison (SC1097), and Apptainer takes a
    line that begins with ``%`` for a section.
    """
    apart = f"{apart}|{_HOME}"
    if _ODD_IN_SINGLE.search(value):
        escaped = re.sub(r'([\\"$`])', r"\\\1", value)
        return '"' + _ODD_IN_DOUBLE.sub("\"'\\g<0>'\"", re.sub(apart, '\\g<0>""', escaped)) + '"'
    if value not in _RESERVED and not value.startswith(("=", "%")) and shlex.quote(value) == value:
        return value
    return "'" + re.sub(apart, "\\g<0>''", value.replace("'", "'\"'\"'")) + "'"


def _ansi_c(text: str) -> str:
    r"""Escape for ``$'…'``. Quotes become ``\x27``: BuildKit's lexer takes ``\'`` for the end of the string."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\x27")
    escaped = re.sub(r"<(?=<)", r"\\x3c", escaped)
    return CONTROL.sub(_escape_control, escaped)


def _escape_control(match: re.Match[str]) -> str:
    return "\\n" if match.group() == "\n" else f"\\x{ord(match.group()):02x}"
