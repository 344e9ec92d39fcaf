"""A number without a unit is read as minutes, or as megabytes."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.checks.option_tables import table
from mngen.checks.options import Parsed
from mngen.diagnostics import Severity
from mngen.manifest.whole_numbers import whole_number

_HOURS = frozenset({*range(1, 11), 24, 48, 72})
"""Plain numbers that may be meant as hours; 15, 30 and 45 are minutes to everybody."""
_MEGABYTES = 1024
"""What no program on a GPU does with, so that the number is meant as gigabytes."""
_GPUS = ("--gpus", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if script.directives:
            yield from _times(script)
            yield from _memory(script)


def _times(script: Script) -> Iterator[Found]:
    """Yield times in hours; Slurm reads minutes, or minutes and seconds (sbatch(1), ``--time``)."""
    for name in ("--time", "--time-min"):
        value = script.slurm.value(name) or ""
        minutes, colon, seconds = value.partition(":")
        number = whole_number(minutes)
        if number is not None and number in _HOURS and (not colon or seconds == "00"):
            told = "1 minute, not an hour" if number == 1 else f"{number} minutes, not hours"
            yield Found(
                _line(script, name),
                f"{name} {value} is {told}",
                f"write {number}:00:00 if hours are meant, {number // 60:02}:{number % 60:02}:00 if minutes are",
                at=value,
            )


def _memory(script: Script) -> Iterator[Found]:
    for name in ("--mem", "--mem-per-gpu", "--mem-per-cpu"):
        value = script.slurm.value(name) or ""
        number = whole_number(value)
        if number and number < _MEGABYTES and _asks_gpus(script.slurm):
            yield Found(
                _line(script, name),
                f"{name} {value} is {number} megabytes, in a job with GPUs",
                f"write {name}={number}G if gigabytes are meant",
                Severity.WARNING,
                at=value,
            )


def _asks_gpus(job: Parsed) -> bool:
    lists = f"{job.value('--gres')},{job.value('--tres-per-task')}".replace("gres/", "")
    named = any(part.split(":")[0].split("=")[0] == "gpu" for part in lists.split(","))
    return named or any(job.has(name) for name in _GPUS)


def _line(script: Script, name: str) -> int:
    """Return the last directive that gives an option."""
    option = table("sbatch").find(name)
    shorts = option.shorts if option is not None else ()
    for directive in reversed(script.directives):
        if any(word.split("=")[0] == name or word[:2] in shorts for word in directive.words):
            return directive.line
    return script.directives[0].line


RULE = Rule("MN919", Severity.NOTE, _check, choice=True)
