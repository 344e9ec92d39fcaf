"""Checks of rendered files: they parse, and the linters have nothing to say about them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from mngen.checks import user_text
from mngen.checks.bash_syntax import syntax_errors
from mngen.checks.definition_text import sections
from mngen.checks.findings import Finding
from mngen.checks.hadolint import IGNORED, read_hadolint, start_hadolint
from mngen.checks.programs import require
from mngen.checks.sbatch_text import directive_problems
from mngen.checks.shellcheck import read_shellcheck, start_shellcheck
from mngen.checks.subjects import FileSubject, Subject, UserSubject, fault
from mngen.checks.yaml_syntax import yaml_error
from mngen.diagnostics import Diagnostic, sort_key
from mngen.plan import Language, RenderedFile, UserText


class CheckOptions(Struct, frozen=True, kw_only=True):
    """What to run: ``lint=False`` leaves out the linters, ``strict`` makes remarks on the user's text errors."""

    lint: bool = True
    strict: bool = False


def check_tree(files: Sequence[RenderedFile], options: CheckOptions) -> list[Diagnostic]:
    """Return every finding about rendered files, in order of place.

    A finding in generated text is an error and a fault of mngen. In the user's own text only a syntax error
    is one; the rest are warnings at the manifest's line. Raises
    :class:`~mngen.errors.EnvironmentFailure` when bash or, with ``options.lint``, ShellCheck is missing;
    without hadolint, Dockerfiles are not linted.
    """
    dockerfiles = [file for file in files if file.language is Language.DOCKERFILE]
    scripts = [file for file in files if file.language is Language.BASH]
    texts = user_text.unique(text for file in scripts for text in file.user_texts)
    with TemporaryDirectory(prefix="mngen-") as name:
        folder = Path(name)
        broken, found = _syntax(scripts, texts, folder)
        subjects: list[Subject] = [*_generated(files), *(UserSubject(text) for text in texts if text not in broken)]
        linters = _start_linters(subjects, dockerfiles, folder) if options.lint else _Linters()
        found += [*_yaml(files), *_directives(scripts)]
        found.extend(_read_shellcheck(linters, subjects, strict=options.strict))
        found.extend(_read_hadolint(linters, dockerfiles, strict=options.strict))
    return sorted(found, key=sort_key)


class _Linters(Struct, frozen=True):
    """The linters that were started, to run beside the other checks."""

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


def _yaml(files: Sequence[RenderedFile]) -> list[Diagnostic]:
    documents = [file for file in files if file.language is Language.YAML]
    wrong = {text: finding for text in _distinct(file.text for file in documents) if (finding := yaml_error(text))}
    return [fault("MN402", file, wrong[file.text], "is not YAML") for file in documents if file.text in wrong]


def _directives(scripts: Sequence[RenderedFile]) -> list[Diagnostic]:
    judge = cache(directive_problems)
    return [
        fault("MN403", file, finding, "has a directive that sbatch refuses or does not read")
        for file in scripts
        for finding in judge(file.text, _lines_of_user(file))
    ]


def _lines_of_user(file: RenderedFile) -> frozenset[str]:
    return frozenset(line for text in file.user_texts for line in text.text.split("\n"))


def _syntax(
    scripts: Sequence[RenderedFile], texts: Sequence[UserText], folder: Path
) -> tuple[set[UserText], list[Diagnostic]]:
    """Return the user's texts that bash refuses, and what it says of them and of the scripts."""
    if not scripts:
        return set(), []
    bash = require("bash", "mngen checks with `bash -n` every script that it writes")
    errors = syntax_errors(bash, [*(text.text for text in texts), *(file.text for file in scripts)], folder)
    broken = {text: errors[number] for number, text in enumerate(texts) if number in errors}
    found = [user_text.syntax_diagnostic(text, finding) for text, finding in broken.items()]
    for number, file in enumerate(scripts, start=len(texts)):
        if number in errors:
            found.append(fault("MN401", file, errors[number], "is not bash"))
    return set(broken), found


def _read_shellcheck(linters: _Linters, subjects: Sequence[Subject], *, strict: bool) -> list[Diagnostic]:
    if linters.shellcheck is None:
        return []
    findings = _by_text((subject.body for subject in subjects), read_shellcheck(linters.shellcheck))
    return [
        diagnostic
        for subject in subjects
        for diagnostic in subject.diagnostics(findings.get(subject.body, ()), strict=strict)
    ]


def _read_hadolint(linters: _Linters, dockerfiles: Sequence[RenderedFile], *, strict: bool) -> list[Diagnostic]:
    if linters.hadolint is None:
        return []
    findings = _by_text((file.text for file in dockerfiles), read_hadolint(linters.hadolint))
    return [
        diagnostic
        for file in dockerfiles
        for diagnostic in FileSubject(file, file.text).diagnostics(findings.get(file.text, ()), strict=strict)
    ]
