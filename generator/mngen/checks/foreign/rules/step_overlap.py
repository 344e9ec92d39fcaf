"""Steps do not share resources unless each of them asks to."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if "SLURM_OVERLAP" in script.text:
            continue
        probes = [call for call in script.called("srun") if call.command.origin == "substitution"]
        for call in probes:
            if call.lacks("--overlap") and any(other.options.has("--overlap") for other in probes):
                yield Found(
                    call.line,
                    "another short step of this script asks for `--overlap`, and this one does not",
                    "give it to every step besides the first",
                    Severity.WARNING,
                )
        running: Call | None = None
        first: Call | None = None
        for call in script.called("srun", "wait"):
            if call.program == "wait":
                running = None
                continue
            first = first or running
            background = call.command.after == "&"
            if running is not None and call.lacks("--overlap") and not background:
                yield Found(
                    call.line,
                    f"this step waits for the one of line {running.line}, which runs to the end of the job: "
                    "steps have their resources to themselves since Slurm 20.11",
                    "give every step besides the first `--overlap` (or run everything in one srun)",
                )
            if background and running is None:
                running = call
        if first is not None and first.lacks("--overlap"):
            yield Found(
                first.line,
                "this step keeps all resources of the node to itself while it runs, memory included",
                "give it `--overlap` too: before Slurm 22.05 both steps must ask for it",
                Severity.NOTE,
            )


RULE = Rule("MN736", Severity.ERROR, _check)
