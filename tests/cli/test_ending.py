"""Commands that are told to end: the programs that they started end as well, and nothing stays in the temporary folder."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SLOW = 'echo $$ >"${STARTED}/$(basename "$0")"\nexec sleep 60'
COMMANDS = {
    "validate job/m.yaml": ("shellcheck", "hadolint"),
    "render job/m.yaml": ("shellcheck", "hadolint"),
    "render job/m.yaml -o -": ("shellcheck",),
    "render --check job/m.yaml": ("shellcheck",),
    "diff job/m.yaml": ("shellcheck",),
    "lint job.sh Dockerfile": ("shellcheck", "hadolint"),
}
CASES = [(command, program) for command, programs in COMMANDS.items() for program in programs]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def _files(described, monkeypatch) -> None:
    Path("job.sh").write_text("#!/bin/bash\ntrue\n")
    Path("Dockerfile").write_text("FROM ubuntu:24.04\n")
    for name in ("tmp", "started"):
        Path(name).mkdir()
        monkeypatch.setenv({"tmp": "TMPDIR", "started": "STARTED"}[name], str(Path(name).resolve()))


def begun(command: str, how: str) -> subprocess.Popen[str]:
    """Start a command to which signals mean what they mean at a terminal, or which ignores SIGHUP."""
    code = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code += f"signal.signal(signal.SIGTERM, signal.SIG_DFL); signal.signal(signal.SIGHUP, signal.{how}); "
    words = [sys.executable, "-c", code + "runpy.run_module('mngen', run_name='__main__')", *command.split()]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def pid_of(program: str, running: subprocess.Popen[str]) -> str:
    """Wait for a program to start."""
    pid = ""
    while not pid:
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)  # another process says to nobody that it has started
        pid = Path("started", program).read_text().strip() if Path("started", program).exists() else ""
    return pid


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
@pytest.mark.parametrize(("command", "program"), CASES)
def test_what_was_started_ends_and_nothing_stays(stub, command, program, number) -> None:
    stub(program, SLOW)
    running = begun(command, "SIG_DFL")
    pid = pid_of(program, running)
    for _ in range(1 if number is signal.SIGINT else 2):  # `timeout` tells the process and then its whole group
        running.send_signal(number)
    _, err = running.communicate(timeout=20)
    assert running.returncode == 128 + number, err
    assert err.lstrip() == ("interrupted\n" if number is signal.SIGINT else f"ended by {number.name}\n")
    assert not Path("/proc", pid).exists()
    assert list(Path("tmp").iterdir()) == []
    assert not Path("out").exists()


def test_a_signal_that_is_ignored_stays_so(stub) -> None:
    stub(
        "shellcheck",
        SLOW.replace("exec sleep 60", "while [ ! -e go-on ]; do sleep 0.05; done\necho '{\"comments\": []}'"),
    )
    running = begun("validate job/m.yaml", "SIG_IGN")
    pid_of("shellcheck", running)
    running.send_signal(signal.SIGHUP)
    Path("go-on").touch()
    _, err = running.communicate(timeout=60)
    assert running.returncode == 0, err


def test_another_program_ends_where_one_fails(mngen, stub) -> None:
    stub("hadolint", SLOW)
    stub("shellcheck", 'while [ ! -s "${STARTED}/hadolint" ]; do sleep 0.05; done\nexit 3')
    result = mngen("validate", "job/m.yaml")
    assert (result.status, "ShellCheck failed with status 3" in result.err) == (3, True), result.err
    assert not Path("/proc", Path("started/hadolint").read_text().strip()).exists()


def is_soon_empty(group: int) -> bool:
    """Wait for the last of a group: bash's own children see for themselves that it is gone. A linter left would go on."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)  # another process says to nobody that it has ended
    return False


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_at_whatever_moment(stub, number) -> None:
    """All that was started is of the command's own group, which is empty once the command has ended."""
    stub("shellcheck", SLOW)
    chance = random.Random(int(number))
    for _ in range(6):
        code = f"import runpy, signal; signal.signal({int(number)}, signal.SIG_DFL); "
        code = code.replace("SIG_DFL", "default_int_handler") if number is signal.SIGINT else code
        words = [
            sys.executable,
            "-c",
            code + "runpy.run_module('mngen', run_name='__main__')",
            "validate",
            "job/m.yaml",
        ]
        running = subprocess.Popen(words, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(chance.uniform(0.1, 0.9))  # any moment of the work, which is what is tested
        running.send_signal(number)
        assert running.wait(20) in {128 + number, -number}
        assert is_soon_empty(running.pid)
        assert list(Path("tmp").iterdir()) == []
