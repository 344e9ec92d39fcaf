"""Steps of a job that end as soon as Ray has started.

Without ``--block`` ``ray start`` leaves Ray's processes in the background and returns
(https://docs.ray.io/en/latest/cluster/cli.html, ray start). When a step's last task has ended, slurmstepd kills what is
left of the step's processes (https://github.com/SchedMD/slurm, src/slurmd/slurmstepd/mgr.c: SIGKILL to the container of
the process tracking, which with proctrack/cgroup holds daemons as well; slurm.conf(5), ProctrackType).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command

_PASSING = frozenset({"echo", "printf", "date", "true", ":", "exit", "export", "set", "fi", "done", "esac", "}", ")"})
"""What takes no time, so that behind it a step is at its end."""
_DAEMONS = ("docker", "podman")
"""Engines whose containers are no processes of the step."""


def left_behind(script: Script) -> Iterator[tuple[Call, Call]]:
    """Yield each step whose last act is a ``ray start`` without ``--block``, with that call."""
    places = {id(command): place for place, command in enumerate(script.commands)}
    starts = {id(call.command): call for call in script.called("ray start")}
    for step in script.called("srun"):
        last = _last(script, step, places[id(step.command)])
        start = starts.get(id(last))
        if start is not None and start.lacks("--block") and not (start.under(*_DAEMONS) or _is_kept(start, step)):
            yield step, start


def _is_kept(start: Call, step: Call) -> bool:
    """Tell whether a loop in the step comes back to the start, or a function holds it, called who knows where."""
    inner, outer = start.command, step.command
    return len(inner.loops) > len(outer.loops) or inner.function > outer.function


def _last(script: Script, step: Call, place: int) -> Command:
    """Return the last command of a step that may take time: of an inner script's, else what srun itself is given."""
    behind = map(script.commands.__getitem__, range(place + 1, len(script.commands)))
    inner = takewhile(lambda item: item.origin and "srun" in item.outer, behind)
    lasting = [item for item in inner if item.words and item.name not in _PASSING]
    return lasting[-1] if lasting else step.command
