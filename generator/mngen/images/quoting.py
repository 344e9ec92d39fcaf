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
_SPECIAL_IN_DEFINITION = re.compile(r"^\s*%|^bootstrap:|\{\{|[\x00-\x08\x0b-\x1f\x7f]", re.MULTILINE | re.IGNORECASE)
_NOT_IN_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def shell_word(value: str) -> str:
    """Quote one word of RUN for bash; words of harmless characters stay bare.

    ShellCheck takes ``$`` or a backtick in single quotes for a forgotten expansion (SC2016), and a backslash
    before the closing one for an escape (SC1003), so such words are put into double quotes. A bare ``fi`` it
    takes for the end of an ``if`` (SC1010). hadolint finds here-documents inside quotes, so ``<<`` is kept apart.
    """
    if CONTROL.search(value):
        return f"$'{_ansi_c(value)}'"
    if value in _RESERVED:
        return f"'{value}'"
    if re.search(r"[$`]|\\(?:'|$)", value):
        escaped = re.sub(r'([\\"$`])', r"\\\1", value)
        return '"' + re.sub(r"<(?=<)", '<""', escaped) + '"'
    return re.sub(r"<(?=<)", "<''", shlex.quote(value))


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
    """Quote one word for a section of a definition file."""
    if CONTROL.search(value):
        return re.sub(r"\{(?=\{)", r"\\x7b", f"$'{_ansi_c(value)}'")
    quoted = shlex.quote(value)
    return f"'{quoted}'" if quoted.startswith("%") else _split_braces(quoted)


def fits_definition(text: str) -> bool:
    """Tell whether lines can stand in a definition file as they are."""
    return _SPECIAL_IN_DEFINITION.search(text) is None


def definition_argument(text: str) -> str:
    """Write a shell text that does not fit as it is as one quoted argument in a definition file."""
    if _NOT_IN_TEXT.search(text):
        return definition_word(text)
    guarded = re.sub(r"^(\s*)(?=%)", r"\1''", _split_braces(text.replace("'", "'\"'\"'")), flags=re.MULTILINE)
    guarded = re.sub(r"^(?=bootstrap:)", "''", guarded, flags=re.MULTILINE | re.IGNORECASE)
    return f"'{guarded}'"


def _split_braces(quoted: str) -> str:
    """Keep ``{{`` apart inside single quotes: closing and reopening the quotes changes nothing for bash."""
    return re.sub(r"\{(?=\{)", "{''", quoted)


def _ansi_c(text: str) -> str:
    r"""Escape for ``$'…'``. Quotes become ``\x27``: BuildKit's lexer takes ``\'`` for the end of the string."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\x27")
    escaped = re.sub(r"<(?=<)", r"\\x3c", escaped)
    return CONTROL.sub(_escape_control, escaped)


def _escape_control(match: re.Match[str]) -> str:
    return "\\n" if match.group() == "\n" else f"\\x{ord(match.group()):02x}"
