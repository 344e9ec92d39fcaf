"""A script ends with the status of its last command."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_HARMLESS = {"echo", "printf", "true", "sleep", "date", ":"}


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        ends = [command for command in script.top if command.words and not command.function]
        if not ends or script.section.startswith("%") or script.option("e", "errexit"):
            continue
        last = ends[-1]
        if last.name == "printf" and last.args[:1] == ("-v",):
            continue  # an assignment
        if last.name in _HARMLESS and not last.branches and not last.loops and len(ends) > 1:
            yield Found(
                last.line,
                f"the last command is `{last.name}`, so the script always reports success",
                'end with the status of the command that matters: `rc=0; driver || rc=$?; …; exit "$rc"`',
                None if script.launches else Severity.WARNING,
            )


RULE = Rule("MN712", Severity.ERROR, _check)
