"""Findings on their way out: which form, which stream, which exit status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mngen.cli.ui import Ui
from mngen.diagnostics import Diagnostic, Severity, has_errors
from mngen.records import record
from mngen.report import github, json_report, sarif, text


@dataclass(slots=True)
class Findings:
    """What a command has found so far, with the lines that a text report quotes."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Sequence[str]] = field(default_factory=dict)

    def add(self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, Sequence[str]] | None = None) -> None:
        """Add findings; the same one from two manifests counts once."""
        self.diagnostics += [d for d in dict.fromkeys(diagnostics) if d not in self.diagnostics]
        self.sources.update(sources or {})

    def fail(self, *, strict: bool) -> bool:
        """Tell whether the command has failed."""
        return has_errors(self.diagnostics, strict=strict)


@record
class Report:
    """How one command reports: its form, and whether stdout is free for a machine's form."""

    ui: Ui
    form: str
    stdout_taken: bool = False

    def emit(self, findings: Findings, extras: Mapping[str, Any] | None = None) -> None:
        """Print all findings; ``extras`` are a JSON report's own keys."""
        if self.form == "text":
            self._emit_text(findings)
            return
        if self.form == "json":
            output = json_report.render(findings.diagnostics, extras)
        elif self.form == "sarif":
            output = sarif.render(findings.diagnostics)
        else:
            output = github.render(findings.diagnostics)
        if self.stdout_taken:
            self.ui.problem(output) if output else None
        else:
            self.ui.data(output)

    def _emit_text(self, findings: Findings) -> None:
        quiet = self.ui.verbosity < 0
        shown = [d for d in findings.diagnostics if not (quiet and d.severity is Severity.NOTE)]
        if shown:
            self.ui.problem(text.render(shown, findings.sources, color=self.ui.color_err) + "\n")
            self.ui.say(text.summary(shown))

    @property
    def for_people(self) -> bool:
        """Tell whether this report leaves stdout and stderr to words."""
        return self.form in {"text", "github"}
