"""A run of several nodes waits for its workers unless told otherwise, also for those that wait for the head.

https://dstack.ai/docs/reference/dstack.yml/task, ``stop_criteria``. Workers that end with their work, as those of
torchrun do, need none.
"""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.loops import loops
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_STAYING = {"sleep": {"infinity", "inf"}, "tail": {"-f", "-F"}}
_CHOOSING = frozenset({"&&", "||"})


def _check(document: Document) -> Iterator[Found]:
    nodes, kind, commands = document.get("nodes"), document.get("type"), document.get("commands")
    if kind is not None and kind.text != "task":
        return
    if document.form is not Form.DSTACK or nodes is None or nodes.text in {None, "1"}:
        return
    if commands is None or not commands.entries or document.get("stop_criteria") is not None:
        return
    if any(map(_waits_for_head, document.scripts)):
        yield Found(
            nodes.line,
            "the run ends only when every node has ended, so workers that wait for the head keep it alive",
            "add `stop_criteria: master-done`",
        )


def _waits_for_head(script: Script) -> bool:
    """Tell whether some of the nodes join Ray, or stay in a branch until they are ended."""
    joins = any(call.options.has("--address") for call in script.called("ray start"))
    return (
        joins
        or any(map(_stays, script.commands))
        or any(
            loop.kind != "for" and loop.has("sleep") and _is_chosen(loop.commands[0]) for loop in loops(script.commands)
        )
    )


def _stays(command: Command) -> bool:
    return bool(_STAYING.get(command.name, set()) & set(command.args)) and _is_chosen(command)


def _is_chosen(command: Command) -> bool:
    return bool(command.branches) or command.before in _CHOOSING


RULE = Rule("MN795", Severity.WARNING, _check)
