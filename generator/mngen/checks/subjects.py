"""The texts that linters read, each of which turns a linter's findings into diagnostics in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from mngen.checks import user_text
from mngen.checks.findings import Finding
from mngen.checks.user_lines import user_lines
from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.plan import Language, RenderedFile, UserText

_FAULT = "this is a fault of mngen, not of the manifest: please report it with the manifest"


class Subject(Protocol):
    """Something to lint: ``body`` is what the linter reads."""

    @property
    def body(self) -> str:
        """The text for the linter."""

    def diagnostics(self, findings: Sequence[Finding], *, strict: bool) -> list[Diagnostic]:
        """Return a linter's findings about this text as diagnostics."""


class FileSubject(Struct, frozen=True):
    """A rendered file, or a part of one that begins ``offset`` lines further down than the body says."""

    file: RenderedFile
    body: str
    offset: int = 0

    def diagnostics(self, findings: Sequence[Finding], *, strict: bool) -> list[Diagnostic]:
        """Return errors for generated lines, warnings at the manifest for lines that hold the user's words."""
        owners: Mapping[int, UserText] = {}
        if findings and self.file.language is not Language.BASH:
            owners = user_lines(self.file)
        return [self._one(finding, owners.get(finding.line + self.offset), strict=strict) for finding in findings]

    def _one(self, finding: Finding, owner: UserText | None, *, strict: bool) -> Diagnostic:
        if owner is None:
            return fault(finding.code, self.file, finding, offset=self.offset)
        severity = Severity.ERROR if strict else Severity.WARNING
        return Diagnostic(finding.code, severity, f"`{owner.name}`: {finding.message}", owner.span)


class UserSubject(Struct, frozen=True):
    """A shell text of the manifest, linted on its own."""

    text: UserText

    @property
    def body(self) -> str:
        """The text for the linter, behind a first line that sets the shell."""
        return user_text.PREFIX + self.text.text

    def diagnostics(self, findings: Sequence[Finding], *, strict: bool) -> list[Diagnostic]:
        """Return warnings at the manifest's lines."""
        return user_text.lint_diagnostics(self.text, findings, strict=strict)


def fault(code: str, file: RenderedFile, finding: Finding, what: str = "", *, offset: int = 0) -> Diagnostic:
    """Return the error of a generated text: ``what`` begins a sentence about the file."""
    text = f"the rendered file {what}: {finding.message}" if what else finding.message
    return Diagnostic(
        code=code,
        severity=Severity.ERROR,
        message=text,
        span=Span(file=file.path, line=max(1, finding.line + offset), column=finding.column),
        hint=_FAULT,
    )
