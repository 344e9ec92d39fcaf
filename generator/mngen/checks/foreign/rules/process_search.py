"""The process list is no place to learn whether one's own Ray runs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for first, last in pairwise(script.commands):
            if first.name == "ps" and first.after == "|" and last.name in {"grep", "egrep"}:
                yield Found(
                    first.line,
                    "a search of the process list finds itself, another job's processes, or a user of that name",
                    "ask the address that matters: `timeout 30 ray health-check --address HOST:PORT`",
                )
        for call in script.called("pgrep"):
            scoped = {"-P", "--parent", "-s", "--session", "-g", "--pgroup"} & {
                text.split("=")[0] for text in call.texts
            }
            # Who then looks at each process's own environment knows whose it is.
            own = any("/environ" in text for other in script.calls for text in other.texts)
            if not scoped and not own and any("ray" in text or "gcs_server" in text for text in call.texts):
                yield Found(
                    call.line,
                    "`pgrep` finds the Ray of other jobs and users on the node as well",
                    "ask the address that matters: `timeout 30 ray health-check --address HOST:PORT`",
                )


RULE = Rule("MN716", Severity.WARNING, _check)
