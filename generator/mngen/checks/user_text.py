"""Checks the user's own shell text on its own, and takes each finding back to the manifest's line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from mngen.checks.findings import Finding
from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.plan import UserText

PREFIX = "#!/usr/bin/env bash\nset -e\n"
"""Set before such a text when ShellCheck reads it: it runs with errexit on, so ``cd x`` needs no ``|| exit``."""

_IGNORED = {
    "SC1090": "a file that is sourced exists on the node, not here",
    "SC1091": "as above",
    "SC2034": "setup text is sourced: what it assigns is used elsewhere",
    "SC2154": "a variable may come from `env`, from another text or from the node",
}
"""ShellCheck's codes that say nothing about a fragment, with the reason."""


def unique(texts: Iterable[UserText]) -> list[UserText]:
    """Drop repetitions: one text of the manifest may stand in several rendered files."""
    return list(dict.fromkeys(texts))


def syntax_diagnostic(text: UserText, finding: Finding) -> Diagnostic:
    """Return the error of a text that bash does not parse."""
    return Diagnostic(
        code="MN404",
        severity=Severity.ERROR,
        message=f"`{text.name}` is not bash: {finding.message}",
        span=manifest_span(text, finding.line),
        hint="try it with `bash -n`; the text runs as written, so quotes and `do`, `then`, `fi` must match",
    )


def lint_diagnostics(text: UserText, findings: Sequence[Finding], *, strict: bool) -> list[Diagnostic]:
    """Return ShellCheck's remarks on a text (read with :data:`PREFIX` before it) as warnings."""
    severity = Severity.ERROR if strict else Severity.WARNING
    shifted = (replace(finding, line=finding.line - PREFIX.count("\n")) for finding in findings)
    return [
        Diagnostic(
            code=finding.code,
            severity=severity,
            message=f"`{text.name}`: {finding.message}",
            span=manifest_span(text, finding.line),
            hint=_hint(text, finding),
        )
        for finding in shifted
        if finding.code not in _IGNORED and finding.line >= 1 and not _has_value(text, finding)
    ]


def _line(text: UserText, finding: Finding) -> str:
    lines = text.text.splitlines()
    return lines[finding.line - 1] if finding.line <= len(lines) else ""


def _has_value(text: UserText, finding: Finding) -> bool:
    """Tell whether a path that ShellCheck fears to be empty (SC2115) begins with a placeholder, which never is."""
    there = _line(text, finding)[finding.column - 1 : finding.end_column - 1].lstrip('"')
    return finding.code == "SC2115" and any(there.startswith(spelling) for spelling, _ in text.placeholders)


def _hint(text: UserText, finding: Finding) -> str:
    """Return the way out, where one is known for whatever stands there; else the page that has it."""
    line = _line(text, finding)
    start, end = finding.column - 1, finding.end_column - 1
    if finding.code in {"SC2046", "SC2086"} and end > start:
        word = line[start:end]
        return f'write "{dict(text.placeholders).get(word, word)}"'
    if finding.code == "SC2102":
        word = line[:start].split(" ")[-1] + line[start:].split(" ")[0]
        return f"a shell takes it for a pattern of file names: write '{word}'"
    return f"https://www.shellcheck.net/wiki/{finding.code}"


def manifest_span(text: UserText, line: int) -> Span | None:
    """Return the manifest's place of one line of a text: exact in a ``|`` block, else where the value begins.

    The span of a block begins at its ``|``, so the first line of the text is one line below.
    """
    if text.span is None or not text.literal_block or text.span.line is None:
        return text.span
    last = text.text.rstrip("\n").count("\n") + 1
    return Span(file=text.span.file, line=text.span.line + min(line, last))
