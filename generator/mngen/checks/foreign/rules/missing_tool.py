"""A diagnosis tool that a node lacks ends the job."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_OPTIONAL = {"ibdev2netdev", "ibstat", "ibv_devinfo", "lstopo", "numactl"}


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        strict = script.option("e", "errexit") or any(
            call.command.origin == "string" and "-e" in call.texts for call in script.called("set")
        )
        if not strict:
            continue
        for call in script.called(*_OPTIONAL):
            if (
                call.command.after not in {"||", "&&"}
                and not call.command.role
                and call.command.origin != "substitution"
            ):
                yield Found(
                    call.line,
                    f"`{call.program}` only reports, but where it is missing errexit ends the job",
                    f"write `command -v {call.program} >/dev/null && {call.program} || true`",
                )


RULE = Rule("MN788", Severity.WARNING, _check)
