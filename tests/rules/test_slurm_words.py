"""What Slurm's values mean: lists of hosts, times and moments, signals, abbreviated options."""

from __future__ import annotations

import pytest

from mngen.manifest.judging.hostlist import count_hosts, host_names
from mngen.manifest.judging.slurm_moment import is_moment
from mngen.manifest.judging.slurm_options import full_name
from mngen.manifest.judging.slurm_time import seconds
from mngen.manifest.slurm_signal import TimeSignal, time_signal


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("B:USR1@120", TimeSignal("USR1", 120, batch=True)),
        ("USR1@60", TimeSignal("USR1", 60, batch=False)),
        ("rb:sigusr2", TimeSignal("USR2", 60, batch=True)),
        ("R:10@5", TimeSignal("USR1", 5, batch=False)),
        ("B:99", TimeSignal("99", 60, batch=True)),
        ("", None),
        ("C:USR1", None),
        ("USR1@soon", None),
    ],
)
def test_time_signal(value, expected):
    assert time_signal(value) == expected


@pytest.mark.parametrize(
    ("text", "hosts"),
    [("a", 1), ("a,b", 2), ("gpu-[01-04,7],login1", 6), ("r[0-1]n[0-3]", 8), ("a[x]", None), ("/etc/hosts", None)],
)
def test_count_hosts(text, hosts):
    assert count_hosts(text) == hosts


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("a, b", {"a", "b"}),
        ("r[0-1]n[9-10]x", {"r0n9x", "r0n10x", "r1n9x", "r1n10x"}),
        ("a[0-99999]", set()),
        ("/h", set()),
    ],
)
def test_host_names(text, hosts):
    assert host_names(text) == hosts


MOMENTS = (
    *(
        "today",
        "NOON",
        "16:00",
        "4:30pm",
        "23:59:59",
        "midnight tomorrow",
        "now",
        "now+60",
        "now + 2 days",
        "uts1700000000",
    ),
    *("now-1week", "0120", "012030", "01/20", "1.20.30", "01/20/30-12:34", "2030-01-20", "2030-01-20T12:34", "teatime"),
)
NO_MOMENTS = (
    *(
        "tomorow",
        "Tomorrow",
        "now+",
        "now+1h",
        "now+1min",
        "24:00",
        "12:60",
        "2030-13-01",
        "2030-1-20",
        "20.01.2030",
        "1320",
        "soon",
    ),
    *("-", "in 1 hour", "next monday", "12", "1" * 200),
)


def test_moments():
    assert [text for text in MOMENTS if not is_moment(text)] == []
    assert [text for text in NO_MOMENTS if is_moment(text)] == []


def test_abbreviations():
    assert full_name("--part") == "--partition"
    assert full_name("--exclu") == "--exclu"  # --exclude or --exclusive
    assert full_name("--mem") == "--mem"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90", 5400),
        ("1:30", 90),
        ("2:00:00", 7200),
        ("1-0", 86400),
        ("1-2:30", 95400),
        ("2-00:00:01", 172801),
        ("x", None),
        ("1:2:3:4", None),
    ],
)
def test_seconds(text, expected):
    assert seconds(text) == expected
