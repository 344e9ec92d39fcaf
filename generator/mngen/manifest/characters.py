"""What a file may be made of: UTF-8, of a sane size, without control characters (MN107)."""

from __future__ import annotations

import re
from codecs import BOM_UTF8

from mngen.diagnostics import Diagnostic, Severity, Span

MOST_BYTES = 2 * 1024 * 1024
"""A manifest is written by hand; above this size something else was named by mistake."""

_MOST_FINDINGS = 5
_BREAK = re.compile(r"\r\n|\r|\n")
# All but YAML 1.2 c-printable, and what YAML 1.1 parsers take for a line break (NEL, LS, PS) and inner byte order
# marks: https://yaml.org/spec/1.2.2/#51-character-set. A list of what is allowed takes Python ten times as long.
_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_BYTE = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as Python passes it on (PEP 383)."""

_BREAKS_OF_YAML_1_1 = "\x85\u2028\u2029"


def split_lines(text: str) -> tuple[str, ...]:
    """Split at the line breaks of YAML 1.2 (LF, CR LF, CR), without the breaks."""
    return tuple(_BREAK.split(text))


def position(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, from 1, of an offset."""
    line, start = 1, 0
    for found in _BREAK.finditer(text, 0, offset):
        line, start = line + 1, found.end()
    return line, offset - start + 1


def decode(data: bytes, file: str) -> str | Diagnostic:
    """Return the text of a file, without a leading byte order mark, or why it is none."""
    if len(data) > MOST_BYTES:
        return _finding(
            Span(file, 1, 1),
            f"the file has more than {MOST_BYTES} bytes, and no more are read",
            "is this the right file?",
        )
    other = _other_encoding(data)
    if other is not None:
        return _finding(Span(file, 1, 1), *other)
    try:
        return data.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        start = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        line, column = position(data[:start].decode("utf-8-sig", "replace"), len(data[:start].decode("utf-8-sig")))
        return _finding(
            Span(file, line, column, line, column + 1),
            f"byte 0x{data[start]:02x} is not UTF-8",
            "save the file as UTF-8",
        )


def decode_with_gaps(data: bytes) -> str | None:
    """Return the text of a file in which some bytes are not UTF-8, each a replacement character.

    ``None`` for what is no such text: another encoding as a whole, no text at all, or too large.
    """
    if len(data) > MOST_BYTES or b"\0" in data or _other_encoding(data) is not None:
        return None
    return _BYTE.sub("\ufffd", data.decode("utf-8-sig", "surrogateescape"))


def _other_encoding(data: bytes) -> tuple[str, str] | None:
    """Return what is said of data that are in another encoding as a whole, by their first bytes."""
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "the file is UTF-32, not UTF-8", "save it as UTF-8"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "the file is UTF-16, not UTF-8", "save it as UTF-8"
    if data[:2] == b"\0\0":
        return "the file begins with NUL bytes, which no text has", "is this the right file?"
    if data[:1] == b"\0" or data[1:2] == b"\0":
        return "the file looks like UTF-16, not UTF-8", "save it as UTF-8"
    return None


def refused_characters(text: str, file: str) -> list[Diagnostic]:
    """Name the first few characters that no manifest may hold as they are."""
    findings: list[Diagnostic] = []
    for found in _REFUSED.finditer(text):
        line, column = position(text, found.start())
        findings.append(_finding(Span(file, line, column, line, column + 1), *_explain(found.group())))
        if len(findings) == _MOST_FINDINGS:
            break
    return findings


def _explain(character: str) -> tuple[str, str]:
    point = ord(character)
    if 0xD800 <= point <= 0xDFFF:
        return f"half a surrogate pair (U+{point:04X}) is not a character", "remove it, or write the whole character"
    if character in _BREAKS_OF_YAML_1_1:
        return (
            f"U+{point:04X} ends a line for some YAML readers and not for others",
            f'write it as "\\u{point:04x}" in double quotes if it is meant',
        )
    if point > 0xFF:
        return f"U+{point:04X} is not allowed in YAML", "remove it"
    if not point:  # in quotes it would be refused as well: no argument or variable can hold it
        return "control character U+0000 is not allowed", "remove it"
    return f"control character U+{point:04X} is not allowed", f'write it as "\\x{point:02x}" in double quotes if meant'


def _finding(span: Span, message: str, hint: str) -> Diagnostic:
    return Diagnostic("MN107", Severity.ERROR, message, span, hint)
