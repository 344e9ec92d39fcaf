"""A launcher that waits for nodes on which nothing starts it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.calls import inline_script
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.job_nodes import nodes_of_job, nodes_of_task
from mngen.checks.foreign.rank_launchers import RankLauncher, rank_launchers
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.shells import SHELLS
from mngen.checks.foreign.worker_starts import REMOTE, TOOLS, runs_tools
from mngen.diagnostics import Severity

_CONTAINERS = ("docker", "podman", "kubectl")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        in_job = nodes_of_job(script)
        asked = in_job if script.directives else nodes_of_task(document)
        for launcher in rank_launchers(script) if asked is not None else ():
            nodes = launcher.nodes(script, in_job) or 0
            if nodes > (asked or 0):
                yield Found(
                    launcher.call.line,
                    f"`{launcher.name}` waits for {nodes} nodes, and the file asks for {asked}",
                    "take the number from the launcher: `$SLURM_NNODES`, `$SKYPILOT_NUM_NODES`, `$DSTACK_NODES_NUM`",
                )
            elif nodes > 1 and in_job and _is_alone(launcher, script):
                yield Found(
                    launcher.call.line,
                    f"`{launcher.name}` is started on the batch host alone, and waits there for {nodes - 1} other "
                    f"node{'s' if nodes > 2 else ''} until the time limit",
                    "start it once on each node, and let each task's shell say its rank: "
                    f"srun --ntasks-per-node=1 bash -c '{launcher.name} … \"$SLURM_NODEID\" …'",
                )


def _is_alone(launcher: RankLauncher, script: Script) -> bool:
    """Tell whether the shell of the batch script starts it, once, and nothing starts it elsewhere."""
    call = launcher.call
    if call.under(*REMOTE, *_CONTAINERS) or call.hidden or call.command.origin:
        return False
    if call.command.loops or call.command.function or (call.command.branches and script.called("srun")):
        return False
    return not any(_runs_elsewhere(script))


def _runs_elsewhere(script: Script) -> Iterator[bool]:
    """Yield for each command whether it runs a program on other nodes that may be the launcher."""
    innermost = {id(call.command): call for call in script.calls}
    for call in innermost.values():
        if call.program in REMOTE:
            yield not runs_tools(call)
        elif call.program in SHELLS and call.under(*REMOTE):
            yield inline_script(call) is None and not any(item.body for item in call.command.redirects)
        else:
            yield call.program == "sbatch" or (call.under(*REMOTE) and call.program not in TOOLS)


RULE = Rule("MN924", Severity.ERROR, _check)
