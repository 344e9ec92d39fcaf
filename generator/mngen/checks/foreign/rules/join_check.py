"""A driver that starts before all nodes have joined hangs, or trains on fewer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_WAITS = re.compile(r"wait[-_](?:for|until)|(?:is|until)[-_]ready", re.IGNORECASE)
"""A program or function of the user's that, by its name, waits."""
_ASKS = ("ray.nodes()", "cluster_resources", "ray status", "ray list nodes", "ray nodes", "symmetric-run")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        starts = script.called("ray start")
        workers = [call for call in starts if call.options.has("--address")]
        if not workers or not any(call.options.has("--head") for call in starts):
            continue
        asking = {id(call.command) for call in script.called("ray status", "ray list", "ray symmetric-run")}
        asked = [item for item in script.commands if id(item) in asking or any(ask in _text(item) for ask in _ASKS)]
        if any(_WAITS.search(_text(command)) for command in script.commands):
            continue
        compared = [item for item in asked if item.loops or any(w in _text(item) for w in ("assert", "raise", "exit"))]
        if not compared:
            yield Found(
                workers[-1].line,
                "nothing makes sure that every node and its GPUs have joined before the driver starts",
                "wait, with a deadline, until `ray.nodes()` shows the nodes alive and `ray.cluster_resources()` "
                "the GPUs",
            )


def _text(command: Command) -> str:
    return " ".join(word.text for word in command.words)


RULE = Rule("MN757", Severity.WARNING, _check)
