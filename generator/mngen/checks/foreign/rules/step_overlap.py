"""Steps do not share resources unless each of them asks to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.ray_steps import left_behind
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.step_shares import on_all_nodes, takes_a_share, together
from mngen.diagnostics import Severity

_SINCE = "steps have their resources to themselves since Slurm 20.11"


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if "SLURM_OVERLAP" not in script.text:
            yield from _probes(script)
            yield from _steps(script)


def _probes(script: Script) -> Iterator[Found]:
    probes = [call for call in script.called("srun") if call.command.origin == "substitution"]
    for call in probes:
        if call.lacks("--overlap") and any(other.options.has("--overlap") for other in probes):
            yield Found(
                call.line,
                "another short step of this script asks for `--overlap`, and this one does not",
                "give it to every step besides the first",
                Severity.WARNING,
            )


def _steps(script: Script) -> Iterator[Found]:
    running: Call | None = None
    first: Call | None = None
    order = script.called("srun", "wait")
    ended = {id(step.command) for step, _ in left_behind(script)}
    for number, call in enumerate(order):
        if call.program == "wait":
            running = None
            continue
        background = call.command.after == "&" and id(call.command) not in ended
        if running is None:
            running = call if background else None
            continue
        if together(running, call, script.slurm):
            continue
        found = _behind(script, running, call, order[number + 1 :])
        if found is not None:
            yield found
        # Of two in the background a finding about the second speaks for both.
        if not (background and found is not None) and not takes_a_share(running):
            first = first or running
    if first is not None and first.lacks("--overlap"):
        yield Found(
            first.line,
            "this step keeps all resources of the node to itself while it runs, memory included",
            "give it `--overlap` too: before Slurm 22.05 both steps must ask for it",
            Severity.NOTE,
        )


def _behind(script: Script, running: Call, call: Call, behind: Sequence[Call]) -> Found | None:
    """Return what is wrong with a step that is started while another one runs, if anything is."""
    if not call.lacks("--overlap"):
        return None
    if call.command.after != "&":
        return _waits(call, running)
    if not (running.lacks("--overlap") and _meet(script, running) and _meet(script, call)):
        return None
    wait = next((other for other in behind if other.program == "wait"), None)
    if wait is None or wait.words:
        return _waits(call, running)
    return Found(
        call.line,
        f"this step starts only when the one of line {running.line} has ended: {_SINCE}",
        "give both `--overlap`, or `--exact` with the part of the node that each of them needs",
        Severity.WARNING,
    )


def _meet(script: Script, step: Call) -> bool:
    """Tell whether a step in the background runs for sure, and on every node of the job."""
    command = step.command
    always = not (command.branches or command.loops or command.function or command.origin)
    return bool(script.directives) and always and on_all_nodes(step, script.slurm)


def _waits(call: Call, running: Call) -> Found:
    return Found(
        call.line,
        f"this step waits for the one of line {running.line}, which runs to the end of the job: {_SINCE}",
        "give every step besides the first `--overlap` (or run everything in one srun)",
    )


RULE = Rule("MN736", Severity.ERROR, _check)
