"""Slurm's ``--signal``: which signal comes ahead of the time limit, how early, and to whom."""

from __future__ import annotations

import re

from msgspec import Struct

from mngen.manifest.whole_numbers import whole_number

_FORM = r"(?i)(?:(?P<flags>[BR]{1,2}):)?(?:SIG)?(?P<signal>[A-Z]+[0-9]?|[0-9]+)(?:@(?P<before>[0-9]+))?"


class TimeSignal(Struct, frozen=True):
    """A value of ``--signal``. Without ``batch`` Slurm signals the steps and not the batch shell."""

    name: str
    """Without ``SIG``, in capitals; a number that no signal of Linux has stays a number."""
    before: int
    """Seconds before the limit."""
    batch: bool


def time_signal(value: str) -> TimeSignal | None:
    """Read ``[{R|B}:]SIGNAL[@SECONDS]`` (sbatch(1), ``--signal``), or return ``None`` for what is no such thing.

    The letters' case does not matter (Slurm, ``get_signal_opts`` in src/common/proc_args.c).
    """
    match = re.fullmatch(_FORM, value.strip())
    before = whole_number(match["before"] or "60") if match else None  # 60 is Slurm's own default
    if match is None or before is None:
        return None
    return TimeSignal(
        signal_name(match["signal"]),
        before,
        "B" in (match["flags"] or "").upper(),
    )


def signal_name(text: str) -> str:
    """Return a signal's name without ``SIG``, in capitals, for its name or its number on Linux."""
    number = whole_number(text)
    return text.upper().removeprefix("SIG") if number is None else _NAMES.get(number, text)


_NAMES = {
    1: "HUP",
    2: "INT",
    3: "QUIT",
    6: "ABRT",
    9: "KILL",
    10: "USR1",
    12: "USR2",
    14: "ALRM",
    15: "TERM",
    17: "CHLD",
    18: "CONT",
    19: "STOP",
    20: "TSTP",
    21: "TTIN",
    22: "TTOU",
    23: "URG",
    24: "XCPU",
    28: "WINCH",
}
"""Numbers of x86-64 and arm64 (signal(7)), where jobs run; this machine's own may be others."""
