"""The command itself: what it says and how it ends, for whom it runs, what it refuses, what it leaves."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from launch_files import GOLDEN

from mngen.cli.app import run
from mngen.rehearse.folders import remove_stale

MINIMAL = GOLDEN / "minimal/out/slurm"
MNGEN = [sys.executable, "-m", "mngen", "rehearse", "--ray=stub"]
NOBODY = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else []
"""A user without rights of root's: in a namespace of its own, root has none outside of it."""

BY_HAND = """#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --output=out-%j.log
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun --overlap --nodes=2 --ntasks=2 --export=ALL bash -c '
if [ $SLURM_PROCID = 0 ]; then ray start --head --port=6379 --block --temp-dir=/tmp/r & sleep 3; exit 0; fi
timeout 2 ray start --address='$head':6380 --block; exit 0
'
"""


def mngen(*words: str | Path, prefix: list[str] | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*(prefix or []), *MNGEN, *map(str, words)], capture_output=True, text=True, timeout=300, check=False
    )
    assert "Traceback" not in done.stderr
    return done


def folders(process: subprocess.Popen[str]) -> list[Path]:
    return list(Path("/var/tmp").glob(f"mns-{process.pid}-*"))


def test_a_user_without_rights_gets_a_verdict_and_what_it_rests_on() -> None:
    done = mngen(MINIMAL, "--fault", "driver-fails", prefix=NOBODY)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("driver-fails: as it should be\n  ok   it ends with status 7\n")
    assert "the driver: a stand-in takes its words" in done.stdout
    assert "verdict: as it should be, 1 round" in done.stdout
    for step in ("started", "address", "joined", "driver", "end"):
        assert f" {step}" in done.stderr


def test_a_bad_end_is_the_exit_status_and_json_says_why(tmp_path: Path) -> None:
    job = tmp_path / "job.sbatch"
    text = (MINIMAL / "job.sbatch").read_text()
    job.write_text(text.replace('status=$(readlink "${JOB_DIR}/driver.status")', "status=3"))
    done = mngen(job, "--fault", "driver-fails", "--format", "json")
    assert done.returncode == 1, done.stdout + done.stderr
    document = json.loads(done.stdout)
    assert (document["verdict"], document["kind"], document["nodes"]) == (
        "not-as-expected",
        "slurm",
        ["node1", "node2"],
    )
    (one,) = document["rounds"]
    assert (one["status"], one["checks"][0]["good"]) == (3, False)
    assert {event["step"] for event in one["events"]} == {"started", "address", "joined", "driver", "end"}
    assert document["not_exercised"]


def test_a_file_written_by_hand_runs_as_it_is(tmp_path: Path) -> None:
    job = tmp_path / "own.sbatch"
    job.write_text(BY_HAND)
    done = mngen(job)
    assert "own.sbatch: Slurm, 2 nodes, dual" in done.stderr
    assert "driver" not in done.stdout + done.stderr
    assert done.returncode == 1, "the worker looks for the head at another port"
    assert (
        "plain: not as it should be\n  ok   it ends with status 0\n  NOT  all nodes join: node2 did not" in done.stdout
    )


def test_a_container_tool_that_nobody_plays_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = tmp_path / "own.sbatch"
    job.write_text("#!/bin/bash\n#SBATCH --nodes=1\nsrun shifter --image=a/b:1 bash -c 'ray start --head'\n")
    assert run(["rehearse", "--ray=stub", str(job), "--fault", "plain"]) == 1
    told = "  NOT  shifter is there: it is not played here; a stand-in of that name in /usr/local/bin takes its place\n"
    assert told in capsys.readouterr().out


def test_of_two_lists_of_mounts_slurm_drops_the_first_here_as_well(tmp_path: Path) -> None:
    """A plugin's option has one value (tests/behaviour/test_stub_pyxis.py)."""
    step = "srun --container-image=i:1 --container-mounts={} bash -c 'test -d /code -a -d /data || exit 3'"
    job = tmp_path / "own.sbatch"
    for between, status in ((" --container-mounts=", 3), (",", 0)):
        mounts = f"/lab/code:/code{between}/lab/data:/data"
        job.write_text(f"#!/bin/bash\n#SBATCH --nodes=1\n{step.format(mounts)}\n")
        (one,) = json.loads(mngen(job, "--fault", "plain", "--format", "json").stdout)["rounds"]
        assert one["status"] == status, one["log"]


def test_module_is_there_and_loads_nothing(tmp_path: Path) -> None:
    job = tmp_path / "own.sbatch"
    job.write_text(
        "#!/bin/bash\n#SBATCH --nodes=1 --output=out-%j.log\nset -e\nmodule purge\nmodule use /opt/modules\n"
        "module load rocm/6.2 && module list\nsrun bash -c 'module load more && echo loaded'\n"
        "module nonsense || echo refused\n"
    )
    document = json.loads(mngen(job, "--format", "json").stdout)
    one = document["rounds"][0]
    assert one["status"] == 0, one["log"]
    assert one["log"].splitlines() == ["loaded", "module: no nonsense in a rehearsal", "refused"]
    assert any(line.startswith("what modules load: ") for line in document["not_exercised"])


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        (b"", 2, "is no launch file: it is empty"),
        (b"hello\n", 2, "is no launch file: it is a"),
        (b"\x7fELF\0\0\0", 2, "is no launch file: it is no text"),
        (b"#!/bin/bash\n#SBATCH --nodes=2\n\xff\n", 2, "is no launch file: it is not UTF-8"),
        (b"FROM debian:12\nRUN true\n", 2, "is no launch file: it is a Dockerfile"),
        (b"#!/bin/bash\n#SBATCH --nodes=900\n", 2, "900 nodes cannot be rehearsed"),
        (None, 3, "No such file or directory"),
    ],
)
def test_what_is_no_launch_file_is_refused(text: bytes | None, status: int, said: str, tmp_path: Path) -> None:
    file = tmp_path / "thing"
    if text is not None:
        file.write_bytes(text)
    done = mngen(file)
    assert (done.returncode, done.stdout) == (status, "")
    assert said in done.stderr


def test_a_folder_of_several_targets_names_them() -> None:
    done = mngen(GOLDEN / "locked/out")
    assert done.returncode == 2
    assert "name one of its targets: apptainer, docker, fleet, pyxis, ready" in done.stderr


def test_a_fault_that_the_file_cannot_have_is_refused() -> None:
    done = mngen(MINIMAL, "--fault", "service-dies")
    assert done.returncode == 2
    assert "has no services" in done.stderr


def test_the_round_in_which_nothing_goes_wrong_has_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rehearse", "--ray=stub", str(MINIMAL), "--fault", "plain"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("plain: as it should be\n")
    assert "verdict: as it should be, 1 round in" in said


def test_the_installed_ray_is_taken_only_where_it_fits(tmp_path: Path) -> None:
    for name, text in (("ray", ""), ("python3", """echo '["2.40.0", ["/usr"]]'""")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    pinned = GOLDEN / "design/out/amd"
    wanted = (pinned / "job.sbatch").read_text().partition("RAY_VERSION=")[2].split()[0]
    words = [*MNGEN[:-1], str(pinned), "--ray", "real"]
    for path, said in (
        (f"{tmp_path}:/usr/bin:/bin", f"wants Ray {wanted}, here is 2.40.0"),
        ("/usr/bin:/bin", "no Ray"),
    ):
        done = subprocess.run(
            words, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=200, check=False
        )
        assert done.returncode == 3, done.stderr
        assert said in done.stderr
        assert f'hint: pip install "ray[default]=={wanted}"' in done.stderr


def test_ctrl_c_leaves_nothing() -> None:
    # A shell's background jobs ignore the signal, and hand that down.
    code = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    words = [sys.executable, "-c", code + "runpy.run_module('mngen', run_name='__main__')", *MNGEN[3:]]
    running = subprocess.Popen([*words, str(MINIMAL), "--fault", "cancel"], stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    for line in running.stderr:
        if " joined" in line:
            break
    assert folders(running)
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 130
    running.stderr.close()
    assert not folders(running)


@pytest.mark.parametrize(
    ("nodes_as", "number"), [("namespaces", signal.SIGTERM), ("processes", signal.SIGHUP)], ids=["TERM", "HUP"]
)
def test_told_to_end_it_says_so_and_leaves_nothing(nodes_as: str, number: signal.Signals) -> None:
    # Who started the tests may have it ignored, and that is handed down.
    code = f"import runpy, signal; signal.signal({int(number)}, signal.SIG_DFL); "
    words = [sys.executable, "-c", code + "runpy.run_module('mngen', run_name='__main__')", *MNGEN[3:]]
    words += [str(MINIMAL), "--fault", "cancel", "--nodes-as", nodes_as]
    running = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    for line in running.stderr:
        if " joined" in line:
            break
    there = folders(running)
    for _ in range(2):  # `timeout` tells the process and then its whole group
        running.send_signal(number)
    said = running.stderr.read()
    assert running.wait(60) == 128 + number
    running.stderr.close()
    assert there
    assert not folders(running)
    assert f"ended by {number.name}" in said
    assert "Traceback" not in said


AS_WINDOWS = """
import sys, signal, subprocess, tempfile, click, mngen.cli.app
sys.platform = "win32"
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
kept = ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM")
for name in [one for one in dir(signal) if one.startswith("SIG") and one[3] != "_" and one not in kept]:
    delattr(signal, name)
del signal.pthread_sigmask
sys.exit(mngen.cli.app.run(sys.argv[1:]))
"""
"""What Windows has not, as the modules of the standard library tell it."""


@pytest.mark.parametrize("words", [("--help",), (MINIMAL,), (MINIMAL, "--nodes-as", "processes")])
def test_where_there_is_no_linux_help_is_there_and_running_is_refused(words: tuple[str | Path, ...]) -> None:
    with left_by_a_killed_rehearsal():
        refused_without_linux(words)


@contextmanager
def left_by_a_killed_rehearsal() -> Iterator[None]:
    """A folder of one, which no rehearsal beside this test removes: it is locked."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    folder = Path(tempfile.mkdtemp(prefix=f"mns-{ended.pid}-", dir="/var/tmp"))
    hold = os.open(folder, os.O_RDONLY)
    fcntl.flock(hold, fcntl.LOCK_EX)
    try:
        yield
    finally:
        folder.rmdir()
        os.close(hold)


def refused_without_linux(words: tuple[str | Path, ...]) -> None:
    argv = [sys.executable, "-c", AS_WINDOWS, "rehearse", *map(str, words)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=100, check=False)
    if words == ("--help",):
        assert (done.returncode, done.stderr) == (0, "")
        assert "--nodes-as" in done.stdout
    else:
        assert (done.returncode, done.stdout) == (3, "")
        assert "hint: a simulated cluster needs Linux" in done.stderr


def test_folders_of_dead_rehearsals_are_removed() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    of_dead, locked, of_living = (
        Path(tempfile.mkdtemp(prefix=f"mns-{pid}-", dir="/var/tmp")) for pid in (ended.pid, ended.pid, os.getpid())
    )
    (of_dead / "sim").mkdir()
    hold = os.open(locked, os.O_RDONLY)
    fcntl.flock(hold, fcntl.LOCK_EX)
    try:
        remove_stale()
        assert [path.exists() for path in (of_dead, locked, of_living)] == [False, True, True]
        os.close(hold)
        remove_stale()
        assert [path.exists() for path in (locked, of_living)] == [False, True]
    finally:
        of_living.rmdir()
