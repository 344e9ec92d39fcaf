"""``on_time_limit`` and ``slurm.time``: a plan that fits together."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, note
from mngen.manifest.judging.slurm_options import given, place
from mngen.manifest.judging.slurm_time import UNLIMITED, seconds
from mngen.manifest.model import OnTimeLimit, Target
from mngen.manifest.whole_numbers import whole_number

_HOURS = 72  # a plain number up to here may be meant as hours; Slurm reads minutes
_MOST = 2**31 - 1  # an int, in https://github.com/SchedMD/slurm/blob/master/src/common/parse_time.c, time_str2secs
_EARLY = 60  # sbatch(1): the signal may be sent up to 60 seconds earlier than specified


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a signal before the job begins or without a limit."""
    if target.kind != "slurm":
        return
    yield from _times(target)
    limit = target.on_time_limit
    if limit is not None:
        yield from _signal(target, limit)


def _times(target: Target) -> Iterator[Diagnostic]:
    for name in ("time", "time_min"):
        value = str(target.slurm.fields.get(name, ""))
        minutes, colon, rest = value.partition(":")
        number = whole_number(minutes)
        if number is not None and (rest == "00" if colon else 0 < number <= _HOURS):
            meant = f"{minutes} minute, not an hour" if number == 1 else f"{minutes} minutes, not hours"
            yield note(
                target,
                "MN243",
                f"slurm.{name}",
                f"slurm.{name} {value} is {meant}",
                hint=f"write {minutes}:00:00 if hours are meant, 00:{number:02}:00 if minutes are",
            )
        if (seconds(value) or 0) > _MOST:
            message = f"slurm.{name} is {value}, more seconds than Slurm counts: it would take another time"
            yield finding(target, "MN243", f"slurm.{name}", message, hint="write UNLIMITED, or the time that is meant")
    longest, least = (seconds(str(target.slurm.fields.get(name, ""))) for name in ("time", "time_min"))
    if longest is not None and least is not None and least > longest:
        message = "slurm.time_min is longer than slurm.time"
        yield finding(target, "MN243", "slurm.time_min", message, hint="exchange the two", other=("slurm.time",))


def _signal(target: Target, limit: OnTimeLimit) -> Iterator[Diagnostic]:
    text = given(target, "time")
    if not text:
        yield finding(
            target,
            "MN244",
            "on_time_limit",
            "on_time_limit is set, but slurm.time is not: whether there is a limit is up to the partition",
            hint="write slurm: {time: …}, so that the signal's time can be checked",
        )
        return
    if text.upper() in UNLIMITED:
        message = f"slurm.time is {text}, so on_time_limit can never happen"
        yield finding(target, "MN244", "on_time_limit", message, hint="set a limit", other=("slurm.time",))
        return
    # Slurm may grant any time down to the shortest: https://slurm.schedmd.com/sbatch.html#OPT_time-min
    for name, may in (("time", "would"), ("time_min", "may")):
        text = given(target, name)
        length = seconds(text)
        if length is not None and limit.before + _EARLY >= length:
            yield finding(
                target,
                "MN244",
                "on_time_limit.before",
                f"on_time_limit.before is {limit.before} s (Slurm may be {_EARLY} s early), but slurm.{name} is {text} "
                f"({length} s): the signal {may} come at the start",
                hint=f"write a smaller before, or a longer {name}",
                other=(place(target, name),),
            )
            return
