"""Comments by which a file's author silences findings: ``# mngen ignore=MN719`` and ``# mngen global ignore=MN718``.

The form is hadolint's (https://github.com/hadolint/hadolint#inline-ignores). ShellCheck and hadolint read their own
comments, also in a text that is handed to them from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mngen.checks.foreign.document import CHECKED, Document, Form, Found
from mngen.checks.foreign.places import span_of
from mngen.diagnostics import Diagnostic, Severity

CODE = "MN910"
"""What is said of a comment that silences nothing."""

_COMMENT = re.compile(r"^\s*#+\s*mngen\s+(global\s+)?(ignore|disable)\b\s*(.*)$", re.IGNORECASE)
_CODES = re.compile(r"=\s*(\w+(?:\s*,\s*\w+)*)\s*(?:#.*)?$")
_READ = (*CHECKED, Form.PACKAGES)
_HINT = "write `# mngen ignore=MN719` above the line, or `# mngen global ignore=MN719` for the whole file"


class _Wish(Struct, frozen=True):
    """One code of a comment at ``line``, and the lines on which it is not to be reported."""

    code: str
    line: int
    lines: range


def silence(
    documents: Sequence[Document], found: Sequence[Diagnostic], own: frozenset[str], across: frozenset[str]
) -> list[Diagnostic]:
    """Return the findings that no comment silences, and those about comments that silence nothing.

    ``own`` and ``across`` are the codes of rules about one file and about several. A comment for one of the latter
    may be in vain only because other files were not given, so nothing is said of it.
    """
    silenced: set[int] = set()
    said: list[Diagnostic] = []
    for document in documents if any("mngen" in document.text for document in documents) else ():
        for wish in _wishes(document, own | across, said):
            hits = {number for number, item in enumerate(found) if _hits(wish, document, item)}
            silenced |= hits
            if not hits and wish.code in own:
                message = f"nothing is silenced here: no {wish.code} is found in what this comment stands for"
                said.append(_said(document, wish.line, message, "remove it", wish.code, Severity.NOTE))
    return [*(item for number, item in enumerate(found) if number not in silenced), *said]


def _hits(wish: _Wish, document: Document, item: Diagnostic) -> bool:
    span = item.span
    return item.code == wish.code and span is not None and span.file == document.file and span.line in wish.lines


def _wishes(document: Document, known: frozenset[str], said: list[Diagnostic]) -> Iterator[_Wish]:
    """Yield what a file's comments ask for; ``said`` gets what is wrong with them."""
    lines = document.lines
    for number, line in enumerate(lines, start=1) if document.form in _READ else ():
        match = _COMMENT.match(line)
        if match is None:
            continue
        codes = _CODES.match(match.group(3))
        if codes is None or match.group(2).lower() != "ignore":
            said.append(_said(document, number, "this comment is not understood, so it silences nothing", _HINT))
            continue
        stood_for = range(1, len(lines) + 1) if match.group(1) else _after(document, number)
        for code in re.split(r"\s*,\s*", codes.group(1)):
            if code in known:
                yield _Wish(code, number, stood_for)
            else:
                said.append(_said(document, number, *_unknown(code), code))


def _unknown(code: str) -> tuple[str, str]:
    """Return what to say of a code that cannot be silenced, and how to mend it."""
    if code.startswith("SC"):
        return f"{code} is ShellCheck's, which reads comments of its own", f"write `# shellcheck disable={code}`"
    if code.startswith("DL"):
        return f"{code} is hadolint's, which reads comments of its own", f"write `# hadolint ignore={code}`"
    return f"{code} is no finding about files written by hand", "take the code from what `mngen lint` prints"


def _after(document: Document, number: int) -> range:
    """Return the lines from a comment to the end of the command or instruction that it stands above."""
    lines = document.lines
    last = number
    while last < len(lines):
        last += 1
        text = lines[last - 1].strip()
        if text and (not text.startswith("#") or text.startswith("#SBATCH")):
            break
    for part in document.instructions if document.form is Form.DOCKERFILE else ():
        if part.line == last:
            return range(number, last + part.text.count("\n") + 1)
    while last < len(lines) and lines[last - 1].rstrip().endswith("\\"):
        last += 1
    return range(number, last + 1)


def _said(  # the two texts, then where and how much, as in every finding
    document: Document, line: int, message: str, hint: str, at: str = "", severity: Severity = Severity.WARNING
) -> Diagnostic:
    span = span_of(Found(line, message, hint, at=at), document.file, document.lines)
    return Diagnostic(CODE, severity, message, span, hint)
