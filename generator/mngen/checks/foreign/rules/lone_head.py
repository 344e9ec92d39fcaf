"""A cluster of several nodes on whose Ray only one node is."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.job_nodes import nodes_of_job, nodes_of_task
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.step_commands import commands_inside
from mngen.checks.foreign.step_shares import on_all_nodes
from mngen.checks.foreign.words import Command
from mngen.checks.foreign.worker_starts import REMOTE, may_start_workers
from mngen.diagnostics import Severity

_CONDITIONS = frozenset({"&&", "||"})
_IDLE = frozenset({"echo", "printf", "sleep", "true", ":", "exit", "wait", "tail"})
_EVERY = "every node starts a head of its own, so that there are as many clusters of one node"
_NONE = "no node but the first joins this head: nothing here starts Ray on the others"
_HINT = "let the first node alone start the head, and the others join it: `ray start --address=HEAD:PORT --block`"


def _check(document: Document) -> Iterator[Found]:
    if document.form in {Form.SKYPILOT, Form.DSTACK}:
        yield from _in_task(document)
        return
    for script in document.scripts:
        if (nodes_of_job(script) or 1) > 1:
            yield from _in_job(script)


def _in_task(document: Document) -> Iterator[Found]:
    """Find the head in what a platform runs on each of the nodes."""
    if (nodes_of_task(document) or 1) < 2 or any(map(may_start_workers, document.scripts)):
        return
    for script in (item for item in document.scripts if item.section != "setup"):
        head = next(iter(_heads(script)), None)
        if head is None or head.under(*REMOTE):
            continue
        if not _is_conditional(script, head.command):
            yield Found(head.line, _EVERY, _HINT)
        elif not (head.command.function or _others_work(script)):
            yield Found(head.line, _NONE, _HINT)


def _in_job(script: Script) -> Iterator[Found]:
    """Find the head in a batch script, which the first node alone runs, and in its steps."""
    heads = _heads(script)
    for step in script.called("srun"):
        for head in heads:
            if _is_on_all(step, script) and _is_of_step(head, step, script):
                yield Found(head.line, _EVERY, _HINT)
                return
    if heads and not may_start_workers(script) and not _others_work(script):
        yield Found(heads[0].line, _NONE, _HINT)


def _heads(script: Script) -> list[Call]:
    return [call for call in script.called("ray start") if call.options.has("--head")]


def _is_on_all(step: Call, script: Script) -> bool:
    """Tell whether a step has a task on each node of the job."""
    alone = "1" in {script.slurm.value("--ntasks"), step.options.value("--ntasks"), step.options.value("--nodes")}
    branched = step.command.loops or step.command.branches or step.command.function
    return on_all_nodes(step, script.slurm) and not alone and not branched


def _is_of_step(head: Call, step: Call, script: Script) -> bool:
    """Tell whether each task of a step starts a head: by the words of srun, or in an inner script without a choice."""
    if head.command == step.command:
        return True
    inside = commands_inside(step, script)
    started = any(item is head.command for item in inside)
    if not started or head.command.branches or head.command.function or head.command.loops:
        return False
    known = frozenset(map(id, inside))
    return not (may_start_workers(script, known) or _mentions_rank(inside) or head.command.before in _CONDITIONS)


def _is_conditional(script: Script, head: Command) -> bool:
    """Tell whether some nodes may not come to the head: a choice stands around it, or one that ends the script."""
    place = next((number for number, item in enumerate(script.commands) if item is head), 0)
    ended = any(item.name in {"exit", "exec", "return"} for item in script.commands[:place])
    asked = head.before == "||" or (head.before == "&&" and _tests(script.commands[:place]))
    return bool(head.branches or head.function or head.loops or ended or asked)


def _tests(before: tuple[Command, ...]) -> bool:
    return bool(before) and (before[-1].name in {"[", "[[", "test"} or before[-1].name.startswith("(("))


def _others_work(script: Script) -> bool:
    """Tell whether a branch beside the head's does more than wait: a program in it may join."""
    return any(item.role in {"else", "elif"} and item.name not in _IDLE for item in script.commands)


def _mentions_rank(commands: list[Command]) -> bool:
    words = " ".join(word.raw for item in commands for word in item.words)
    return any(name in words for name in ("PROCID", "NODEID", "RANK", "hostname"))


RULE = Rule("MN923", Severity.ERROR, _check)
