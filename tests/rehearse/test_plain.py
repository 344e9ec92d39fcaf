"""Nodes that are plain processes, for machines without namespaces: the same verdicts, and this machine is left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from launch_files import GOLDEN, made, one, wrong

from mngen.errors import EnvironmentFailure
from mngen.rehearse.limits import not_exercised
from mngen.rehearse.moving import moved
from mngen.rehearse.namespaces import unshare_command
from mngen.rehearse.nets import Net
from mngen.rehearse.options import Options
from mngen.rehearse.plain import PlainCluster, refuse

MNGEN = [sys.executable, "-m", "mngen", "rehearse"]
MINIMAL = GOLDEN / "minimal/out/slurm"
ROUNDS = {
    "verl-gsm8k-slurm/sif": "cancel",
    "verl-gsm8k-skypilot/gcp": "driver-fails",
    "verl-dstack/attached": "loopback-name",
    "verl-amd-slurm/podman": "plain",
    "verl-gsm8k-slurm/sif-ib": "fabric-down",
    "ray-manual/hosts": "plain",
}
"""One of each system, and what is played without a kernel's help: containers, GPUs of both kinds, fabric, /dev/shm."""


@pytest.mark.parametrize("name", ROUNDS)
def test_an_example_comes_to_the_end_that_it_should(name: str) -> None:
    example, target = name.split("/")
    ready = made(GOLDEN / example / "out" / target, plain=True)
    found, outcome = wrong(ready, one(ROUNDS[name]))
    assert found == [], outcome.log
    assert "mns-" not in outcome.log.replace("/work/", ""), "paths are shown as the file has them"
    said = "\n".join(not_exercised(ready))
    for part in ("the network: ", "nodes apart: ", "/dev/shm: ", "node-silent: "):
        assert part in said
    assert ("containers apart: " in said) == ready.needs.contained


@pytest.fixture(scope="module")
def sim() -> Iterator[PlainCluster]:
    """Two nodes with two networks."""
    cluster = PlainCluster(Options(gpus=1, shm="100m", net=Net("dual", nics=2, suffix="-ib")))
    yield cluster
    cluster.close()
    assert not cluster.top.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("uname -n", "node2"),
        ("hostname -s", "node2"),
        ("hostname -i", "fd77::2 10.77.0.2"),
        ("getent ahostsv4 node1", "10.77.0.1       STREAM node1"),
        ("getent ahostsv6 node1-ib", "fd78::1         STREAM node1-ib"),
        ("getent ahostsv6 10.77.0.1", ""),
        ("ip -o -4 address show scope global dev eth1", "3: eth1    inet 10.78.0.2/16 scope global eth1"),
        ("ip -o -4 address show scope global to 10.77.0.0/16", "2: eth0    inet 10.77.0.2/16 scope global eth0"),
        ("ip -o route get fd78::1", "fd78::1 dev eth1 src fd78::2"),
        ("ip -o route get 192.0.2.1", "192.0.2.1 dev eth0 src 10.77.0.2"),
        ("ip -o route get 127.0.0.1", "local 127.0.0.1 dev lo src 127.0.0.1"),
        ("df --output=avail -k /dev/shm", "Avail\n102400"),
        ("nvidia-smi -L", "GPU 0: NVIDIA"),
        ("command -v pkill killall", ""),
        ("sh -c 'test -w $TMPDIR && echo $TMPDIR'", "/nodes/node2/tmp"),
    ],
)
def test_a_node_is_told_what_the_kernel_would_say(sim: PlainCluster, words: str, said: str) -> None:
    argv = ["sh", "-c", words]
    env = {"TMPDIR": "/tmp"}
    found = sim.run(argv, node="node2", env=env).stdout
    assert said in found if said else not found


def test_what_listens_on_a_node_is_reached_as_on_a_real_one(sim: PlainCluster) -> None:
    code = "import socket, time; s = socket.create_server(({!r}, {})); time.sleep(60)"
    servers = [
        sim.spawn(["python3", "-c", code.format(host, port)], node=node)
        for node, host, port in (("node1", "", 20400), ("node2", "", 20400), ("node1", "127.0.0.1", 20401))
    ]
    for node in ("node1", "node2"):
        sim.wait_for(lambda node=node: sim.run(["sim-connect", "127.0.0.1", "20400"], node=node).status == 0)
    sim.wait_for(lambda: sim.run(["sim-connect", "127.0.0.1", "20401"], node="node1").status == 0)
    asked = "sport >= :20400 and sport <= :20431"
    assert len(sim.run(["ss", "-Hltn", asked], node="node1").stdout.splitlines()) == 2
    assert len(sim.run(["ss", "-Hltn", asked], node="node2").stdout.splitlines()) == 1
    tries = (("10.77.0.1", "20400", 0), ("fd78::1", "20400", 0), ("10.77.0.1", "20401", 1), ("192.0.2.1", "20400", 1))
    for host, port, status in tries:
        assert sim.run(["sim-connect", host, port], node="node2").status == status, host
    given = sim.run(["python3", "-c", code.format("10.77.0.1", 20402)], node="node2")
    assert "Cannot assign requested address" in given.stderr, "it is another node's"
    sim.kill([server.pid for server in servers])


@pytest.mark.parametrize("client", ["docker run --rm", "docker run --rm --init", "podman run --rm --init"])
def test_orphans_of_a_container_are_collected(sim: PlainCluster, client: str) -> None:
    """As by the first process of a PID namespace; a script that waits for their end would wait for ever."""
    inside = "orphan=$(sleep 0.1 >/dev/null & echo $!); sleep 0.4; [[ -e /proc/${orphan} ]] || echo collected"
    done = sim.run([*client.split(), "i:1", "bash", "-c", inside], node="node1")
    assert (done.status, done.stdout) == (0, "collected\n"), done


def test_a_process_of_this_machine_is_neither_seen_nor_ended(sim: PlainCluster) -> None:
    code = (
        "import ctypes, time; ctypes.CDLL(None).prctl(15, b'raylet', 0, 0, 0); print('up', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as outsider:
        assert outsider.stdout is not None
        outsider.stdout.readline()
        assert sim.run(["ray", "stop"], node="node1").status == 0
        sim.kill([outsider.pid])
        sim.kill_process("login", "raylet")
        assert outsider.pid not in {row["pid"] for row in sim.processes()}
        time.sleep(0.1)
        assert outsider.poll() is None
        outsider.kill()


def test_what_a_node_leaves_running_ends_with_the_cluster() -> None:
    cluster = PlainCluster(Options(nodes=1))
    code = "import os, time; os.setsid() if os.fork() == 0 else os._exit(0); print(os.getpid(), flush=True); time.sleep(60)"
    pid = int(cluster.run(["python3", "-c", code], node="node1").stdout or 0) or cluster.processes()[0]["pid"]
    assert [row["node"] for row in cluster.processes()] == ["node1"]
    cluster.close()
    assert not Path(f"/proc/{pid}").exists()
    assert not cluster.top.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cd /data/verl || fail 78", "cd /S/data/verl || fail 78"),
        ("#SBATCH --output=/logs/%j.out", "#SBATCH --output=/S/logs/%j.out"),
        ("# see /data/verl", "# see /data/verl"),
        ("JOB_DIR=/tmp/mngen-1", "JOB_DIR=${SIM_FOLDER}/tmp/mngen-1"),
        ("local scratch=${TMPDIR:-/tmp}", "local scratch=${TMPDIR:-${SIM_FOLDER}/tmp}"),
        ("compgen -G '/dev/cxi[0-9]*' >/dev/null", "compgen -G \"${SIM_FOLDER}\"'/dev/cxi[0-9]*' >/dev/null"),
        (
            '--bind /a:/b:ro --bind "${X}/c:/d,/tmp:/tmp"',
            '--bind /S/a:/S/b:ro --bind "${X}/c:/S/d,${SIM_FOLDER}/tmp:${SIM_FOLDER}/tmp"',
        ),
        ('cd -- "${here}"/../..', 'cd -- "${here}"/../..'),
        ("ADDRESS_FILTER=(to fd00:1::/32) LISTEN=::/0", "ADDRESS_FILTER=(to fd00:1::/32) LISTEN=::/0"),
        ("http://h:80/x docker://r/i ${p[@]/#/-}", "http://h:80/x docker://r/i ${p[@]/#/-}"),
        ("df -k /dev/shm >/dev/null </dev/urandom", "df -k /dev/shm >/dev/null </dev/urandom"),
        ('rm -rf "/dev/shm/x"', 'rm -rf "${SIM_FOLDER}/dev/shm/x"'),
        ('timeout 5 bash -c ": </dev/tcp/${H}/${P}" 2>&1', 'timeout 5 sim-connect "${H}" "${P}" 2>&1'),
        ('timeout 5 bash -c ": </dev/tcp/${host}/$1" && echo', 'timeout 5 sim-connect "${host}" "$1" && echo'),
    ],
)
def test_absolute_paths_lead_below_the_rehearsal(text: str, said: str) -> None:
    assert moved(text, "/S") == said


def test_a_way_to_the_network_that_nobody_plays_is_refused() -> None:
    with pytest.raises(EnvironmentFailure, match="/dev/tcp"):
        moved('exec 3<>"/dev/tcp/${HOST}/80"', "/S")


def test_what_only_namespaces_keep_away_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.sbatch"
    own.write_text("#!/bin/bash\n#SBATCH --nodes=2\nrm -rf /scratch/x\n")
    for words, said in (
        ([own], "was not written by mngen"),
        ([MINIMAL, "--run-driver"], "--run-driver"),
        ([MINIMAL, "--ray", "real"], "an address for each node"),
        ([MINIMAL, "--fault", "node-silent"], "which cannot be cut, and here nodes are plain processes"),
    ):
        done = subprocess.run(
            [*MNGEN, "--nodes-as", "processes", *map(str, words)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 3, done.stderr
        assert said in done.stderr
        assert "hint: " in done.stderr


@pytest.mark.parametrize("options", [{"image": {"folders": ["/usr/src/own"]}}, {"fresh": {"/usr/own.env": ""}}])
def test_what_would_lie_among_this_machines_programs_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(EnvironmentFailure, match="which this machine has not"):
        PlainCluster(Options(nodes=1, **options))


def test_without_namespaces_nodes_are_processes_and_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    unshare = tmp_path / "unshare"
    unshare.write_text("#!/bin/sh\necho 'unshare failed: Operation not permitted' >&2\nexit 1\n")
    unshare.chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        [*MNGEN, "--nodes-as", "namespaces", str(MINIMAL)],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert "hint: a simulated cluster needs Linux with user namespaces" in done.stderr
    # A shell's background jobs ignore the signal, and hand that down.
    code = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    words = [sys.executable, "-c", code + "runpy.run_module('mngen', run_name='__main__')", "rehearse", "--ray=stub"]
    running = subprocess.Popen([*words, str(MINIMAL), "--fault", "cancel"], env=env, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    said = ""
    for line in running.stderr:
        said += line
        if " joined" in line:
            break
    assert "nodes are plain processes: " in said
    assert "Operation not permitted" in said
    (top,) = (path for path in Path("/var/tmp").glob(f"mns-{running.pid}-*") if "farm" not in path.name)
    lab = (top / "sim/lab.sock").exists()
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 130
    running.stderr.close()
    assert lab
    assert not list(Path("/var/tmp").glob(f"mns-{running.pid}-*"))
    alive = [path for path in Path("/proc").glob("[0-9]*/environ") if _mentions(path, top.name)]
    assert alive == []


def _mentions(environ: Path, name: str) -> bool:
    try:
        return name.encode() in environ.read_bytes()
    except OSError:
        return False


def test_who_asked_for_processes_is_told_to_ask_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refuse("it may do anything").hint == "leave --nodes-as processes out: this machine makes namespaces"
    monkeypatch.setenv("PATH", str(tmp_path))
    unshare_command.cache_clear()
    try:
        assert "sysctl" in str(refuse("it may do anything").hint)
    finally:
        unshare_command.cache_clear()


def test_files_of_variables_are_said_to_be_empty() -> None:
    for target in ("plain", "sif"):
        said = not_exercised(made(GOLDEN / "everything/out" / target))
        assert "env_files: empty ones stand for ~/.config/everything.env" in said
    assert not any("env_files" in line for line in not_exercised(made(MINIMAL)))
