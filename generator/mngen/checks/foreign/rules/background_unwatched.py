"""A process in the background whose id is not kept dies unseen."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        commands = [command for command in script.commands if not command.origin]
        waited = bool(script.called("wait"))
        for number, command in enumerate(commands):
            if command.after != "&" or command.name in {"echo", "sleep"}:
                continue
            following = commands[number + 1] if number + 1 < len(commands) else None
            kept = following is not None and any("$!" in assign.value.raw for assign in following.assigns)
            if not (kept or waited):
                yield Found(
                    command.line,
                    f"`{command.name} … &`: its id is not kept, so nobody notices when it dies",
                    "keep `$!`, and end the job when that process ends: `wait -n`, or `kill -0` in a loop",
                )


RULE = Rule("MN717", Severity.WARNING, _check)
