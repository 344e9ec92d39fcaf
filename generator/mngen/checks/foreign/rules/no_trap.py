"""Without a trap nothing is stopped when the job fails or is cancelled."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if script.called("trap") or script.section.startswith("%"):
            continue
        starts = [command for command in script.commands if command.after == "&" and not command.origin]
        detached = [
            call.command
            for call in script.containers("run")
            if call.options.has("--detach") and not call.options.has("--restart")
        ]
        heads = [call.command for call in script.called("ray start") if call.lacks("--block")]
        if starts or detached or heads:
            yield Found(
                min(command.line for command in (*starts, *detached, *heads)),
                "what this starts is never stopped: there is no trap for the end, a failure or a cancelled job",
                "set `trap cleanup EXIT` and `trap 'exit 143' TERM INT` before the first start, "
                "and stop there what this job started, by process id or container name",
            )


RULE = Rule("MN718", Severity.WARNING, _check)
