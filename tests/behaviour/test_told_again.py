"""A node that is told to end more than once, as Slurm does it, still leaves only after what it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from generated import functions

CONTAINED = ["apptainer", "docker", "podman", "prefix"]
ROUNDS = 24
SLOW = "trap 'sleep 0.5; echo ended; exit 0' TERM USR2; echo begun; for _ in {1..400}; do sleep 0.1; done"
"""What takes a while to end once it is told. The first signal decides."""
NODE = """
declare -A PART_PID=()
for name in write_host_setup source_text take_ports fail say docker podman; do eval "$name() { :; }"; done
address_towards() { echo 192.0.2.1; }
ip() { echo 1: eth0 inet; }
rm() { echo left; }
enter_container() { trap '' USR2; [[ -z ${LIFELINE:-} ]] || exec {LIFELINE}>&-; exec bash "${SLOW}"; }
SLURM_NODEID=1 SLURMD_NODENAME=n HEAD_IP=192.0.2.2 PORT_BLOCK=1 PORT_LOCK='' BATCH_PID=99999999 LOG_DIR=.
set -Eeuo pipefail
node
"""
RECEIVE = """
rm() { echo left; }
SLURM_NODEID=0
receive <"${SLOW}"
"""
BURSTS = ["TERM USR2 USR2", "USR2 TERM USR2", "TERM TERM", "USR2 USR2"]


def told(tmp_path: Path, script: str, burst: str, *, client: bool) -> list[str]:
    """What each of several processes says that are told to end at the same time, and then its exit status."""
    (tmp_path / "slow.sh").write_text(SLOW)
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "ATTEMPT": "0", "HOME": "/", "SLOW": str(tmp_path / "slow.sh")}
    nodes: list[tuple[subprocess.Popen[bytes], Path]] = []
    try:
        for number in range(ROUNDS):
            folder = tmp_path / str(number)
            folder.mkdir()
            said = tmp_path / f"{number}.said"
            own = env | {"JOB_ID": str(number), "JOB_DIR": str(folder)}
            with said.open("wb") as out:
                node = subprocess.Popen(["bash", "-c", script], env=own, cwd=folder, stdout=out, start_new_session=True)
            nodes.append((node, said))
        end = time.monotonic() + 20
        while any(said.read_text() != "begun\n" for _, said in nodes) and time.monotonic() < end:
            time.sleep(0.1)
        for node, _ in nodes:
            below = Path(f"/proc/{node.pid}/task/{node.pid}/children").read_text().split() if client else []
            for name in burst.split():
                number = getattr(signal, f"SIG{name}")
                node.send_signal(number)
                for pid in below if name == "TERM" else []:  # Slurm tells the container's client as well
                    with contextlib.suppress(ProcessLookupError):  # the node may have ended it by now
                        os.kill(int(pid), number)
        return [f"{said.read_text()}{status}" for node, said in nodes for status in [node.wait(40)]]
    finally:
        for node, _ in nodes:
            if node.poll() is None:
                os.killpg(node.pid, signal.SIGKILL)
                node.wait()


@pytest.mark.parametrize("burst", BURSTS)
@pytest.mark.parametrize("runtime", CONTAINED)
def test_b70_a_node_leaves_after_its_container(tmp_path: Path, runtime: str, burst: str) -> None:
    script = functions(runtime, "wait_while", "running", "node", "leave_host") + NODE
    ends = told(
        tmp_path, script.replace("{1..200}", "{1..5}"), burst, client=True
    )  # a client that is not told by Slurm
    assert ends == ["begun\nended\nleft\n0"] * ROUNDS


@pytest.mark.parametrize("burst", BURSTS)
@pytest.mark.parametrize("runtime", ["none", "pyxis", *CONTAINED])
def test_b70_a_step_leaves_after_its_node(tmp_path: Path, runtime: str, burst: str) -> None:
    """The step's first process, which most sites' Slurm tells alone."""
    ends = told(tmp_path, functions(runtime, "receive") + RECEIVE, burst, client=False)
    assert ends == ["begun\nended\nleft\n0"] * ROUNDS


LEAVE = """
say() { :; }
rm() { :; }
declare -A PART_PID=()
setsid bash "${SLOW}" &
PART_PID[slow]=$!
DRIVER_PID='' NODE_RANK=1 PORT_LOCK='' BATCH_PID=99999999 SOURCED='' CONTAINER_PID=''
trap 'leave 0' TERM INT USR2
set -Eeuo pipefail
while true; do (trap '' TERM USR2 && exec sleep 0.5) || true; done
"""


@pytest.mark.parametrize("burst", ["INT", "INT INT", "INT TERM", "TERM INT", "USR2 INT", "TERM TERM"])
@pytest.mark.parametrize("runtime", ["none", "pyxis", *CONTAINED])
def test_b70_a_node_sees_its_parts_end(tmp_path: Path, runtime: str, burst: str) -> None:
    """In a trap that came with SIGINT, as Ctrl-C is, bash notices no child's end while its own builtins read."""
    ends = told(tmp_path, functions(runtime, "leave") + LEAVE, burst, client=False)
    assert ends == ["begun\nended\n0"] * ROUNDS


STEP = "trap 'sleep 1; echo ended; exit 0' USR2; echo begun; for _ in {1..400}; do sleep 0.1; done"
FINISH = """
say() { :; }
rm() { echo left; }
REASONS=([143]=cancelled) CANCELLED=1 PORT_LOCK='' JOB_DIR=.
bash -c "${STEP}" &
STEP_PID=$!
trap 'finish 143' TERM
while kill -0 "${STEP_PID}"; do sleep 0.5 || true; done
"""


def test_b70_the_batch_shell_leaves_after_the_step(tmp_path: Path) -> None:
    """Where Slurm tells every process of the batch step, again and again, srun still has its time."""
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "ATTEMPT": "0", "JOB_ID": "1", "STEP": STEP}
    script = functions("none", "finish", "verdict") + FINISH
    with subprocess.Popen(
        ["bash", "-c", script], env=env, cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as batch:
        try:
            assert batch.stdout is not None
            assert batch.stdout.readline() == "begun\n"
            children = Path(f"/proc/{batch.pid}/task/{batch.pid}/children")
            step = children.read_text().split()[0]
            end = time.monotonic() + 10
            while batch.poll() is None and time.monotonic() < end:
                for pid in {str(batch.pid), *children.read_text().split()} - {step}:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(pid), signal.SIGTERM)
                time.sleep(0.05)  # between one telling and the next, as long as the shell is there
            assert batch.poll() is not None
            said = [line for line in batch.stdout.read().splitlines() if "verdict" not in line]
            assert (said, batch.returncode) == (["ended", "left"], 143)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(batch.pid, signal.SIGKILL)
