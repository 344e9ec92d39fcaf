"""Steps do not share resources unless each of them asks to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.ray_steps import left_behind
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.step_places import apart
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
    running: list[Call] = []
    first: Call | None = None
    order = script.called("srun", "wait")
    ended = {id(step.command) for step, _ in left_behind(script)}
    for number, call in enumerate(order):
        if call.program == "wait":
            running.clear()
            continue
        background = call.command.after == "&" and id(call.command) not in ended
        other = next((step for step in running if _in_the_way(step, call, script)), None)
        if background:
            running.append(call)
        if other is None:
            continue
        found = _behind(script, other, call, order[number + 1 :])
        if found is not None:
            yield found
        # Of two in the background a finding about the second speaks for both, and so does a mere note.
        speaks = found is not None and (background or found.severity is Severity.NOTE)
        if not speaks and not takes_a_share(other):
            first = first or other
    if first is not None and first.lacks("--overlap"):
        yield Found(
            first.line,
            "this step keeps all resources of the node to itself while it runs, memory included",
            "give it `--overlap` too: before Slurm 22.05 both steps must ask for it",
            Severity.NOTE,
        )


def _in_the_way(running: Call, call: Call, script: Script) -> bool:
    return not (together(running, call, script.slurm) or apart(running, call, script))


def _behind(script: Script, running: Call, call: Call, behind: Sequence[Call]) -> Found | None:
    """Return what is wrong with a step that is started while another one runs, if anything is."""
    if not call.lacks("--overlap"):
        return None
    if call.command.after != "&":
        return _may_wait(call, running) if apart(running, call, script) is None else _waits(call, running)
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


def _may_wait(call: Call, running: Call) -> Found:
    return Found(
        call.line,
        f"this step waits for the one of line {running.line} if both are on one node: {_SINCE}",
        "put each on a node of its own with `--nodes=1 --nodelist`, or give this one `--overlap`",
        Severity.NOTE,
    )


RULE = Rule("MN736", Severity.ERROR, _check)
