"""Whether the status of a script's last driver is dropped where it is started, so that its failure is a success.

``wait`` without a process waits for all and returns 0 (bash(1), wait).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.interpreters import is_python
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.step_commands import commands_inside
from mngen.checks.foreign.words import Command

_SAYING = frozenset({"echo", "printf", "true", ":"})
_PASSING = _SAYING | {"date", "sleep", "sync", "fi", "done", "esac", "}", ")", "rm", "cp", "rsync", "deactivate", "ray"}
"""What may stand behind the driver and says nothing about it."""
_ENDS = frozenset({"exit", "return"})
_LAUNCHERS = frozenset({"torchrun", "deepspeed", "accelerate", "ray job submit"})
_BESIDE = re.compile(
    r"clean|report|notif|upload|plot|summar|collect|check|log|backup|sync|copy|convert|export|merge|eval|test|wait|"
    r"prepare|download|install|stop|pip|venv|warm|probe|monitor",
    re.IGNORECASE,
)
"""What the name of a program has that is run beside the driver, and may fail."""


def dropped_status(script: Script) -> tuple[Command, str] | None:
    """Return the last driver of a script and how its status is dropped, if it is."""
    top = [command for command in script.top if not command.function and (command.words or command.redirects)]
    drivers = _drivers(script)
    place = next((number for number in range(len(top) - 1, -1, -1) if id(top[number]) in drivers), None)
    if place is None or top[place].loops or top[place].condition:
        return None
    driver, behind = top[place], top[place + 1 :]
    if driver.after == "&":
        return _waited_for(script, driver, behind)
    if not all(map(_passes, behind)) or driver.groups:
        return None
    if driver.after == "||" and behind and behind[0].name in _SAYING and behind[0].after not in {"&&", "|"}:
        return driver, f"`|| {behind[0].name}` hides the status of `{driver.name}`"
    if driver.role in {"if", "elif"} and driver.after not in {"&&", "||", "|"}:
        return driver, f"`if` takes the status of `{driver.name}`, and nothing ends the script with it"
    return None


def _waited_for(script: Script, driver: Command, behind: Sequence[Command]) -> tuple[Command, str] | None:
    """Judge a driver in the background, whose status only a ``wait`` for its own process returns."""
    waits = script.called("wait")
    last = next((command for command in reversed(behind) if not _passes(command)), None)
    bare = last is not None and last.name == "wait" and not last.args and last.after not in {"&&", "||"}
    asked = any(call.texts for call in waits) or any(call.texts[:1] for call in script.called("trap"))
    if last is None or not bare or asked or last.depth or driver.depth:
        return None
    if any(command.name in _ENDS and not _passes(command) for command in behind):
        return None
    return last, f"`wait` without a process returns 0 whatever became of `{driver.name} … &`"


def _passes(command: Command) -> bool:
    """Tell whether a command behind the driver leaves no word of its failure, and does not end the script with one."""
    if command.name in _ENDS:
        return command.args in {(), ("0",)}
    return (command.name in _PASSING or not command.words) and not command.silent and command.after != "|"


def _drivers(script: Script) -> frozenset[int]:
    """Return the ids of the commands at the top that start a driver, themselves or in a step's inner script."""
    driving = {id(call.command) for call in script.calls if _drives(call)}
    steps = {
        id(step.command)
        for step in script.called("srun")
        if any(id(item) in driving for item in commands_inside(step, script))
    }
    return frozenset(driving | steps)


def _drives(call: Call) -> bool:
    if call.program in _LAUNCHERS:
        return call.program != "ray job submit" or not call.options.has("--no-wait")
    if not is_python(call.program):
        return False
    words = [text for text in call.texts if text != "-u"]
    named = words[1:2] if words[:1] == ["-m"] else words[:1]
    name = "".join(named)
    return bool(name) and not name.startswith(("-", "$")) and not _BESIDE.search(name.rsplit("/", 1)[-1])
