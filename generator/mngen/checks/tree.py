"""Checks of rendered files: they parse, and the linters have nothing to say about them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from mngen.checks import user_text
from mngen.checks.bash_syntax import syntax_error
from mngen.checks.dockerfile_text import user_lines
from mngen.checks.findings import Finding
from mngen.checks.hadolint import read_hadolint, start_hadolint
from mngen.checks.programs import require
from mngen.checks.sbatch_text import directive_problems
from mngen.checks.shellcheck import read_shellcheck, start_shellcheck
from mngen.checks.yaml_syntax import yaml_error
from mngen.diagnostics import Diagnostic, Severity, Span, sort_key
from mngen.plan import Language, RenderedFile, UserText

_FAULT = "this is a fault of mngen, not of the manifest: please report it with the manifest"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
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
    scripts = [file for file in files if file.language is Language.BASH]
    dockerfiles = [file for file in files if file.language is Language.DOCKERFILE]
    texts = user_text.unique(text for file in scripts for text in file.user_texts)
    with TemporaryDirectory(prefix="mngen-") as name:
        linters = _start_linters(scripts, texts, dockerfiles, Path(name)) if options.lint else _Linters()
        found = [*_yaml(files), *_directives(scripts), *_syntax(scripts)]
        broken = _broken_texts(texts)
        found.extend(broken.values())
        found.extend(_read_shellcheck(linters, scripts, texts, broken, strict=options.strict))
        found.extend(_read_hadolint(linters, dockerfiles, strict=options.strict))
    return sorted(found, key=sort_key)


@dataclass(frozen=True, slots=True)
class _Linters:
    """The linters that were started, to run beside the other checks."""

    shellcheck: subprocess.Popen[bytes] | None = None
    hadolint: subprocess.Popen[bytes] | None = None


def _start_linters(
    scripts: Sequence[RenderedFile], texts: Sequence[UserText], dockerfiles: Sequence[RenderedFile], folder: Path
) -> _Linters:
    bodies = [file.text for file in scripts] + [user_text.PREFIX + text.text for text in texts]
    shellcheck = start_shellcheck(bodies, folder) if bodies else None
    return _Linters(shellcheck, start_hadolint([file.text for file in dockerfiles], folder))


def _yaml(files: Sequence[RenderedFile]) -> list[Diagnostic]:
    checked = ((file, yaml_error(file.text)) for file in files if file.language is Language.YAML)
    return [_fault("MN402", file, finding, "is not YAML") for file, finding in checked if finding is not None]


def _directives(scripts: Sequence[RenderedFile]) -> list[Diagnostic]:
    return [
        _fault("MN403", file, finding, "has a directive that sbatch refuses or does not read")
        for file in scripts
        for finding in directive_problems(file.text)
    ]


def _syntax(scripts: Sequence[RenderedFile]) -> list[Diagnostic]:
    if not scripts:
        return []
    bash = _bash()
    checked = ((file, syntax_error(bash, file.text)) for file in scripts)
    return [_fault("MN401", file, finding, "is not bash") for file, finding in checked if finding is not None]


def _broken_texts(texts: Sequence[UserText]) -> Mapping[UserText, Diagnostic]:
    if not texts:
        return {}
    bash = _bash()
    checked = ((text, syntax_error(bash, text.text)) for text in texts)
    return {text: user_text.syntax_diagnostic(text, finding) for text, finding in checked if finding is not None}


def _read_shellcheck(
    linters: _Linters,
    scripts: Sequence[RenderedFile],
    texts: Sequence[UserText],
    broken: Mapping[UserText, Diagnostic],
    *,
    strict: bool,
) -> list[Diagnostic]:
    if linters.shellcheck is None:
        return []
    findings = read_shellcheck(linters.shellcheck)
    found = [_fault(f.code, file, f) for number, file in enumerate(scripts) for f in findings.get(number, ())]
    for number, text in enumerate(texts, start=len(scripts)):
        if text not in broken:
            found.extend(user_text.lint_diagnostics(text, findings.get(number, ()), strict=strict))
    return found


def _read_hadolint(linters: _Linters, dockerfiles: Sequence[RenderedFile], *, strict: bool) -> list[Diagnostic]:
    if linters.hadolint is None:
        return []
    findings = read_hadolint(linters.hadolint)
    found: list[Diagnostic] = []
    for number, file in enumerate(dockerfiles):
        owners = user_lines(file)
        for finding in findings.get(number, ()):
            owner = owners.get(finding.line)
            if owner is None:
                found.append(_fault(finding.code, file, finding))
                continue
            severity = Severity.ERROR if strict else Severity.WARNING
            message = f"`{owner.name}`: {finding.message}"
            found.append(Diagnostic(finding.code, severity, message, owner.span))
    return found


def _fault(code: str, file: RenderedFile, finding: Finding, what: str = "") -> Diagnostic:
    text = f"the rendered file {what}: {finding.message}" if what else finding.message
    return Diagnostic(
        code=code,
        severity=Severity.ERROR,
        message=text,
        span=Span(file=file.path, line=finding.line, column=finding.column),
        hint=_FAULT,
    )


def _bash() -> str:
    return require("bash", "mngen checks with `bash -n` every script that it writes")
