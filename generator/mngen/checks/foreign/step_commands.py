"""What a step of a job runs: the commands of the scripts that srun is given as text or here-document."""

from __future__ import annotations

from itertools import takewhile

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command


def commands_inside(step: Call, script: Script) -> list[Command]:
    """Return the commands of the inner scripts of a step."""
    place = next((number for number, item in enumerate(script.commands) if item is step.command), len(script.commands))
    return list(takewhile(lambda item: item.origin and "srun" in item.outer, script.commands[place + 1 :]))
