"""What ShellCheck and hadolint say of rendered files."""

from __future__ import annotations

import subprocess
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from mngen.checks import user_text
from mngen.checks.definition_text import sections
from mngen.checks.findings import GIVEN_UP, Finding
from mngen.checks.hadolint import IGNORED, read_hadolint, start_hadolint
from mngen.checks.shellcheck import read_shellcheck, start_shellcheck
from mngen.checks.subjects import FileSubject, Subject, UserSubject
from mngen.diagnostics import Diagnostic, Severity
from mngen.plan import Language, RenderedFile, UserText


def linted(
    files: Sequence[RenderedFile], broken: Container[UserText], folder: Path, *, strict: bool
) -> Iterator[Diagnostic]:
    """Yield what the linters say of files, and of the user's texts that are not ``broken``."""
    dockerfiles = [file for file in files if file.language is Language.DOCKERFILE]
    scripts = [file for file in files if file.language is Language.BASH]
    texts = user_text.unique(text for file in scripts for text in file.user_texts if text.linted)
    subjects: list[Subject] = [*_generated(files), *(UserSubject(text) for text in texts if text not in broken)]
    linters = _start_linters(subjects, dockerfiles, folder)
    yield from _read_shellcheck(linters, subjects, strict=strict)
    yield from _read_hadolint(linters, dockerfiles, strict=strict)


class _Linters(Struct, frozen=True):
    """The linters that were started, to run beside each other."""

    shellcheck: subprocess.Popen[bytes] | None = None
    hadolint: subprocess.Popen[bytes] | None = None


def _generated(files: Sequence[RenderedFile]) -> Iterator[FileSubject]:
    """Yield the shell texts of rendered files: scripts, and the sections of definition files."""
    for file in files:
        if file.language is Language.BASH:
            yield FileSubject(file, file.text)
        elif file.language is Language.APPTAINER:
            for part in sections(file.text):
                if part.is_script:
                    yield FileSubject(file, f"#!{part.shell}\n{part.text}\n", part.line - 2)


def _start_linters(subjects: Sequence[Subject], dockerfiles: Sequence[RenderedFile], folder: Path) -> _Linters:
    bodies = _distinct(subject.body for subject in subjects)
    shellcheck = start_shellcheck(bodies, folder, dialect=None) if bodies else None
    return _Linters(shellcheck, start_hadolint(_distinct(file.text for file in dockerfiles), folder, ignored=IGNORED))


def _distinct(texts: Iterable[str]) -> list[str]:
    """Return each text once, in order: the manifests of one call often give equal files."""
    return list(dict.fromkeys(texts))


def _by_text(texts: Iterable[str], found: Mapping[int, Sequence[Finding]]) -> dict[str, Sequence[Finding]]:
    """Return by its text what a linter says of each of the distinct texts that it was given."""
    return {text: found[number] for number, text in enumerate(_distinct(texts)) if number in found}


def _is_given_up(found: Mapping[int, Sequence[Finding]]) -> bool:
    return any(finding.code == GIVEN_UP for findings in found.values() for finding in findings)


def _given_up(found: Mapping[int, Sequence[Finding]]) -> Diagnostic:
    """Return the one warning about all files: they are mngen's own, and nothing is wrong with any of them."""
    why = found[0][0].message.replace("looked at this file", "looked at the rendered files")
    return Diagnostic(GIVEN_UP, Severity.WARNING, why, None, "run it again, or pass `--no-lint`")


def _read_shellcheck(linters: _Linters, subjects: Sequence[Subject], *, strict: bool) -> list[Diagnostic]:
    if linters.shellcheck is None:
        return []
    found = read_shellcheck(linters.shellcheck)
    if _is_given_up(found):
        return [_given_up(found)]
    findings = _by_text((subject.body for subject in subjects), found)
    return [
        diagnostic
        for subject in subjects
        for diagnostic in subject.diagnostics(findings.get(subject.body, ()), strict=strict)
    ]


def _read_hadolint(linters: _Linters, dockerfiles: Sequence[RenderedFile], *, strict: bool) -> list[Diagnostic]:
    if linters.hadolint is None:
        return []
    found = read_hadolint(linters.hadolint)
    if _is_given_up(found):
        return [_given_up(found)]
    findings = _by_text((file.text for file in dockerfiles), found)
    return [
        diagnostic
        for file in dockerfiles
        for diagnostic in FileSubject(file, file.text).diagnostics(findings.get(file.text, ()), strict=strict)
    ]
