"""A bare srun starts every task that the job has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.rank_launchers import RankLauncher, rank_launchers
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.step_commands import commands_inside
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity
from mngen.manifest.whole_numbers import whole_number

_ONCE_A_NODE = re.compile(r"\bray start\b|\b(?:docker|podman)\s+(?:run|exec|start|build|pull)\b")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.directives:
            continue
        value = script.slurm.value("--ntasks-per-node") or ""
        yield from _launchers(script, value)
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


def _launchers(script: Script, of_job: str) -> Iterator[Found]:
    """Find launchers that start the processes of a whole node, once for each of its tasks."""
    starting = {id(launcher.call.command): launcher for launcher in rank_launchers(script) if _is_of_a_node(launcher)}
    for step in script.called("srun") if starting else ():
        own = step.options.value("--ntasks-per-node")
        value = own or of_job
        inside = [step.command, *commands_inside(step, script)]
        found = next((starting[id(item)] for item in inside if id(item) in starting), None)
        known = step.lacks("--ntasks") and (own is not None or step.lacks("--ntasks-per-node"))
        if found is not None and known and (whole_number(value) or 0) > 1 and not _asks_for_rank(inside):
            yield Found(
                found.call.line,
                f"this srun runs `{found.name}` {value} times on each node, and each starts the processes of a whole "
                "node",
                f"start it once a node (`srun --ntasks-per-node=1 {found.name} …`), or let srun start the ranks itself",
            )


def _is_of_a_node(launcher: RankLauncher) -> bool:
    """Tell whether a launcher starts several processes, or takes the number of a node."""
    processes = launcher.options.get("--nproc-per-node")
    if launcher.name == "torchrun":
        return processes not in {None, "1"}
    return launcher.has_rank


def _asks_for_rank(commands: list[Command]) -> bool:
    """Tell whether what is run depends on the number of the task, which is told to it or makes it go another way."""
    words = " ".join(word.raw for item in commands for word in item.words if "\n" not in word.raw)
    return "SLURM_LOCALID" in words or ("SLURM_PROCID" in words and "nproc" not in words)


def _is_for_nodes(step: Call) -> bool:
    """Tell whether a step starts what a node has once: Ray, or containers by an engine. A rank is meant to repeat."""
    texts = [word.text for word in step.command.words]
    texts += [redirect.body for redirect in step.command.redirects if redirect.body is not None]
    text = " ".join(texts)
    return _ONCE_A_NODE.search(text) is not None and "SLURM_LOCALID" not in text


RULE = Rule("MN735", Severity.ERROR, _check)
