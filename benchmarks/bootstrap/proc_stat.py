"""Reads when a process was started from what the kernel keeps of it."""

import os

TICKS = os.sysconf("SC_CLK_TCK")


def started(stat: str) -> float:
    """Seconds after the machine's start, of a text of `/proc/PID/stat`: its field 22 (proc(5)), in ticks of a clock."""
    return int(stat.rpartition(")")[2].split()[19]) / TICKS
