"""Runs on machines of one's own: what is left after a kill, what leaves its session, and faults that have a name."""

import shutil
from collections.abc import Callable
from typing import Any

import pytest
from generated import render

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
MANUAL = {"targets": {"job": {"kind": "manual"}}}


def head(sim: Cluster, **fields: Any) -> list[str]:
    """The command that starts the head of a rendered cluster."""
    return ["bash", str(render(sim, {**fields, **MANUAL}) / "head.sh")]


def named(sim: Cluster, word: str) -> list[int]:
    """The processes that have a word among their arguments."""
    return [row["pid"] for row in sim.processes() if word in row["argv"]]


@pytest.mark.parametrize("told", [False, True], ids=["ends", "told"])
def test_what_left_the_drivers_session_ends_with_the_run(cluster: Make, told: bool) -> None:
    """As torchrun's workers do: each has a session of its own."""
    sim = cluster(nodes=1)
    text = f"trap '' TERM; setsid sleep 98765 & {'sleep 300' if told else 'sleep 1'}"
    run = sim.spawn(head(sim, driver={"command": ["bash", "-c", text]}, logs={"driver": "a.log"}), node="node1")
    sim.wait_for(lambda: named(sim, "98765"), 20)
    if told:
        run.signal(15)
    assert run.wait(30).status == (143 if told else 0)
    sim.wait_for(lambda: sim.processes() == [], 10)  # the log's tee ends when the last that wrote to it has ended


def test_a_killed_run_is_not_cleared_away_while_its_processes_live(cluster: Make) -> None:
    sim = cluster(nodes=1, faults={"*": {"driver": {"sleep": 300}}})
    command = head(sim)
    first = sim.spawn(command, node="node1")
    sim.wait_record("driver", timeout=20)
    first.signal(9)
    first.wait(10)
    again = sim.run(command, node="node1", timeout=20)
    assert again.status == 78
    assert "has left processes" in again.stderr
    left = [int(word) for word in again.stderr.rpartition("processes:")[2].split()]
    assert (sim.tmp("node1") / "mngen-0/cluster.py").exists()
    sim.kill(left)
    sim.wait_for(lambda: sim.processes() == [], 10)
    sim.set_faults({"*": {"driver": {"exit": 3}}})
    assert sim.run(command, node="node1", timeout=30).status == 3


@pytest.mark.parametrize("start", ["slurm", "manual"])
@pytest.mark.parametrize(("line", "status"), [('A="$A:b"', 0), ("A=hello world", 78), ("false", 78), ("exit 3", 78)])
def test_a_file_of_variables_is_read_as_setup_is(cluster: Make, start: str, line: str, status: int) -> None:
    sim = cluster(nodes=1)
    file = sim.work / "vars.env"
    file.write_text(f"FIRST=1\n{line}\n")
    folder = render(sim, {"env_files": [str(file)], "targets": {"job": {"kind": start}}})
    if start == "slurm":
        done = sim.sbatch(folder / "job.sbatch")
        code, log = done.status, done.log
    else:
        ran = sim.run(["bash", str(folder / "head.sh")], node="node1", timeout=30)
        code, log = ran.status, ran.stderr
    assert code == status, log
    assert ("ERROR: vars.env" in log) == bool(status)


def test_places_that_cannot_be_made_are_named(cluster: Make) -> None:
    sim = cluster(nodes=1)
    (sim.work / "file").write_text("")
    folder = sim.run(head(sim, ray={"temp_dir": "/nowhere/x"}), node="node1", timeout=20)
    assert (folder.status, "/nowhere/x/mngen-0 cannot be made" in folder.stderr) == (78, True)
    endpoint = sim.run(head(sim, endpoint={"file": f"{sim.work}/file/e.json"}), node="node1", timeout=30)
    assert (endpoint.status, "cannot write the endpoint" in endpoint.stderr) == (78, True)


@pytest.mark.parametrize("where", ["driver", "prepare"])
def test_what_is_started_hears_an_interrupt(cluster: Make, where: str) -> None:
    sim = cluster(nodes=1)
    asks = f"grep SigIgn /proc/self/status >{sim.work}/ignored"
    fields: dict[str, Any] = {"driver": {"command": ["bash", "-c", asks]}}
    if where == "prepare":
        fields = {"prepare": [{"run": asks, "when": "before-driver"}]}
    assert sim.run(head(sim, **fields), node="node1", timeout=30).status == 0
    ignored = int((sim.work / "ignored").read_text().split()[1], 16)
    assert not ignored & 1 << 1  # SIGINT is number 2


def test_threads_of_one_program_are_not_the_nodes_processors(cluster: Make) -> None:
    sim = cluster(nodes=1, cpus=6)
    limits = {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "2"}
    assert sim.run(head(sim), node="node1", env=limits, timeout=30).status == 0
    (start,) = [call["argv"] for call in sim.records("ray") if call["argv"][:1] == ["start"]]
    assert "--num-cpus=6" in start


def test_a_machine_without_ip_is_named(cluster: Make) -> None:
    sim = cluster(nodes=1)
    tools = sim.work / "tools"
    tools.mkdir()
    for name in ("bash", "id", "uname", "env", "nproc", "mkdir", "rm", "cat", "grep", "tr", "ln", "sleep"):
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    done = sim.run(head(sim), node="node1", env={"PATH": str(tools)}, timeout=20)
    assert (done.status, "the program ip (of iproute2) is missing on node1" in done.stderr) == (77, True)


@pytest.mark.parametrize(("installed", "status"), [("2.52.0", 0), ("2.60.0", 0), ("2.51.2", 77), ("2.9.3", 77)])
@pytest.mark.parametrize("asked", [{"ray": {"auth": "token"}}, {"secrets": {"RAY_AUTH_TOKEN": {}}}], ids=["", "secret"])
def test_a_ray_without_tokens_is_noticed_where_they_are_asked_for(
    cluster: Make, installed: str, status: int, asked: dict[str, Any]
) -> None:
    sim = cluster(nodes=1, ray=installed)
    done = sim.sbatch(render(sim, asked) / "job.sbatch", env={"RAY_AUTH_TOKEN": "0" * 64})
    assert done.status == status, done.log
    assert (f"Ray {installed} on node1 has no tokens" in done.log) == bool(status)
    assert bool(sim.records("ray_node")) != bool(status)
