"""A bare srun starts every task that the job has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity
from mngen.manifest.whole_numbers import whole_number

_ONCE_A_NODE = re.compile(r"\bray start\b|\b(?:docker|podman)\s+(?:run|exec|start|build|pull)\b")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.directives:
            continue
        value = script.slurm.value("--ntasks-per-node") or ""
        if (whole_number(value) or 0) < 2:
            continue
        starting = {id(call.command) for call in script.called("ray start")}
        for call in script.called("srun"):
            for_nodes = id(call.command) in starting or _is_for_nodes(call)
            if call.lacks("--ntasks", "--ntasks-per-node") and for_nodes:
                yield Found(
                    call.line,
                    f"this srun runs its command {value} times on each node: the job has {value} tasks a node",
                    "ask for one task a node (`--ntasks-per-node=1`) in the job and on every srun",
                )


def _is_for_nodes(step: Call) -> bool:
    """Tell whether a step starts what a node has once: Ray, or containers by an engine. A rank is meant to repeat."""
    texts = [word.text for word in step.command.words]
    texts += [redirect.body for redirect in step.command.redirects if redirect.body is not None]
    text = " ".join(texts)
    return _ONCE_A_NODE.search(text) is not None and "SLURM_LOCALID" not in text


RULE = Rule("MN735", Severity.ERROR, _check)
