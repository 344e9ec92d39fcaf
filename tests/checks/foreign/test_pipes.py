"""What is no regular file: a pipe that somebody writes to is read, what would never end is refused."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

LINT = f"{sys.executable} -m mngen lint --no-lint --format json"
JOB = "#!/bin/bash\n#SBATCH --nodes=1\nsrun ray start --head\n"
PLAIN = "mngen lint"


def lint(words: str, folder: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    line = ["bash", "-c", words.replace(PLAIN, LINT)]
    return subprocess.run(line, cwd=folder, input=stdin, capture_output=True, text=True, timeout=20, check=False)


@pytest.mark.parametrize(
    "words",
    [
        "mngen lint --kind sbatch - <job",
        "cat job | mngen lint --kind sbatch -",
        "cat job | mngen lint --kind sbatch /dev/stdin",
        "mngen lint --kind sbatch /dev/stdin <job",
        "mngen lint --kind sbatch <(cat job)",
        "mngen lint --kind sbatch <(sleep 1.2; cat job)",
        "cat job >pipe & mngen lint --kind sbatch pipe",
        "(sleep 0.3; cat job >pipe) & mngen lint --kind sbatch pipe",
        "(head -n1 job; sleep 1.2; tail -n+2 job) >pipe & mngen lint --kind sbatch pipe",
    ],
)
def test_what_somebody_writes_is_read(words: str, tmp_path: Path) -> None:
    (tmp_path / "job").write_text(JOB)
    os.mkfifo(tmp_path / "pipe")
    done = lint(words, tmp_path)
    assert (done.returncode, '"MN746"' in done.stdout) == (0, True), done


def test_a_byte_that_is_not_utf8_is_told_of_a_pipe_too(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for text, status in (("#!/bin/bash\\n# \\xe9\\n", 0), ("\\xff\\xfe#!", 1)):
        done = lint(f"printf '{text}' >pipe & mngen lint --kind bash pipe", tmp_path)
        assert (done.returncode, '"MN107"' in done.stdout) == (status, True), done


def test_what_would_never_end_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.sbatch")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{tmp_path}/sock")
        for name, said in (
            ("pipe.sbatch", "it is a pipe that nobody writes to"),
            ("/dev/zero", "it is a device, no file"),
            ("/dev/null", "it is a device, no file"),
            ("sock", "it is a socket, no file"),
        ):
            done = lint(f"mngen lint {name}", tmp_path)
            assert (done.returncode, done.stdout) == (3, ""), done
            assert f"error: cannot read `{name}`: {said}\nhint: " in done.stderr
