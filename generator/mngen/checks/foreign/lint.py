"""Lints a file that somebody wrote by hand: ShellCheck, hadolint and mngen's own rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from mngen.checks.findings import Finding
from mngen.checks.foreign.document import Document, Form
from mngen.checks.foreign.reader import read_document
from mngen.checks.foreign.rules import RULES
from mngen.checks.foreign.script import Script
from mngen.checks.hadolint import read_hadolint, start_hadolint
from mngen.checks.shellcheck import read_shellcheck, start_shellcheck
from mngen.diagnostics import Diagnostic, Span, sort_key

_NOT_FOR_PARTS = frozenset({"SC1090", "SC1091", "SC2148"})
"""What ShellCheck says about a script only because it is a part of another file, or sources one of the node."""


def check_foreign(text: str, file: str, *, lint: bool = True) -> list[Diagnostic]:
    """Return every finding about one foreign file, in order of line.

    The kind of file is recognised by its name and text: sbatch script, bash script, Dockerfile, SkyPilot or
    dstack YAML, Apptainer definition. ``lint=False`` leaves ShellCheck and hadolint out; with it,
    :class:`~mngen.errors.EnvironmentFailure` is raised when ShellCheck is needed and missing.
    """
    document = read_document(text, file)
    found = list(_own(document))
    if lint:
        found.extend(_linters(document))
    return sorted(dict.fromkeys(found), key=sort_key)


def _own(document: Document) -> Iterator[Diagnostic]:
    for rule in RULES:
        for item in rule.check(document):
            yield Diagnostic(
                code=rule.code,
                severity=item.severity or rule.severity,
                message=item.message,
                span=Span(file=document.file, line=item.line),
                hint=item.hint,
            )


def _linters(document: Document) -> Iterator[Diagnostic]:
    with TemporaryDirectory(prefix="mngen-") as name:
        folder = Path(name)
        if document.form is Form.DOCKERFILE:
            process = start_hadolint([document.text], folder)
            if process is not None:
                for finding in read_hadolint(process).get(0, ()):
                    yield _passed_on(document, finding, finding.line)
        for script in document.scripts:
            answer = read_shellcheck(start_shellcheck([script.text], folder, dialect=_dialect(script)))
            for finding in answer.get(0, ()):
                if finding.code not in _NOT_FOR_PARTS or (finding.code == "SC2148" and not script.section):
                    yield _passed_on(document, finding, _file_line(script, finding.line))


def _dialect(script: Script) -> str | None:
    """Return the shell to assume, or ``None`` where the text's own first line names it."""
    if script.section.startswith("%"):
        return "bash" if script.shebang.endswith("bash") else "sh"
    return None if script.shebang else "bash"


def _file_line(script: Script, line: int) -> int:
    """Return the file's line of a line of the script's text, whose pieces stand apart in the file."""
    for text, first in script.pieces:
        length = text.count("\n") + 1
        if line <= length:
            return first + line - 1
        line -= length
    return script.pieces[-1][1]


def _passed_on(document: Document, finding: Finding, line: int) -> Diagnostic:
    return Diagnostic(
        code=finding.code,
        severity=finding.severity,
        message=finding.message,
        span=Span(file=document.file, line=line),
    )
