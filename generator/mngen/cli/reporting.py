"""Findings on their way out: which form, which stream, which exit status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from msgspec import Struct, field

from mngen.cli.ui import Ui
from mngen.diagnostics import NOTHING_TO_DO, Diagnostic, Severity, has_errors


class Findings(Struct):
    """What a command has found so far, with the lines that a text report quotes."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Sequence[str]] = field(default_factory=dict)
    _known: set[Diagnostic] = field(default_factory=set)

    def add(self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, Sequence[str]] | None = None) -> None:
        """Add findings; the same one from two manifests counts once."""
        new = [d for d in dict.fromkeys(diagnostics) if d not in self._known]
        self.diagnostics += new
        self._known.update(new)
        self.sources.update(sources or {})

    def fail(self, *, strict: bool) -> bool:
        """Tell whether the command has failed."""
        return has_errors(self.diagnostics, strict=strict)


_FORMS = {"text": "text", "json": "json_report", "sarif": "sarif", "github": "github"}
"""The module of :mod:`mngen.report` for each form; the one asked for is imported when there is something to say."""


class Report(Struct, frozen=True):
    """How one command reports: its form, and whether stdout is free for a machine's form."""

    ui: Ui
    form: str
    stdout_taken: bool = False

    notes: bool = True
    """Whether people are told notes without asking for more."""

    strict: bool = False
    """Whether warnings fail the command, which people are told where nothing else has."""

    def emit(self, findings: Findings, extras: Mapping[str, Any] | None = None) -> None:
        """Print all findings; ``extras`` are a JSON report's own keys."""
        known = findings.diagnostics
        if self.form == "text":
            known = [d for d in known if d.severity is not Severity.NOTE or self._tells(d)]
            if not known:
                return
        from mngen.report.conceal import conceal  # noqa: PLC0415 - most manifests are right, and then nothing is said

        shown, sources = conceal(known, findings.sources)
        form = import_module(f"mngen.report.{_FORMS[self.form]}")
        if self.form == "text":
            self.ui.problem(form.render(shown, sources, color=self.ui.color_err) + "\n")
            only_strict = self.strict and findings.fail(strict=True) and not findings.fail(strict=False)
            self.ui.say(form.summary(shown) + ("; with --strict warnings fail the command" if only_strict else ""))
            return
        more = (extras,) if self.form == "json" else ()
        output: str = form.render(shown, *more)
        if self.stdout_taken:
            self.ui.problem(output) if output else None
        else:
            self.ui.data(output)

    def _tells(self, note: Diagnostic) -> bool:
        return self.ui.verbosity > 0 or (self.ui.verbosity == 0 and self.notes and note.hint != NOTHING_TO_DO)
