"""A start on a machine where a run is at work: whatever ends it, the run that is there goes on, folder and all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from generated import render

from mngen.rehearse import tasks
from mngen.rehearse.cluster import Cluster, Process, Result
from mngen.targets.skypilot import SCRIPT

Make = Callable[..., Cluster]
FILE = "task.sky.yaml"
IMAGE = {"image": {"ref": "example/image:1"}}
WAYS: dict[str, dict[str, Any]] = {
    "manual": {"kind": "manual"},
    "docker": {"kind": "manual", "runtime": "docker", **IMAGE},
    "podman": {"kind": "manual", "runtime": "podman", **IMAGE},
    "apptainer": {"kind": "manual", "runtime": "apptainer", **IMAGE},
    "skypilot": {"kind": "skypilot", **IMAGE},
    "dstack": {"kind": "dstack", **IMAGE},
}
RANK: dict[str, str] = {
    "SKYPILOT_NODE_RANK": "0",
    "SKYPILOT_NODE_IPS": "10.77.0.1",
    "SKYPILOT_TASK_ID": "sky-1",
    "DSTACK_NODE_RANK": "0",
    "DSTACK_NODES_NUM": "1",
    "DSTACK_MASTER_NODE_IP": "10.77.0.1",
    "DSTACK_RUN_ID": "1",
}
"""What launchers tell a node."""
FIELDS: dict[str, Any] = {
    "logs": {"driver": "train.log", "ray_session": "always"},
    "cleanup": "echo cleaned up",
    "setup": "true",
    "secrets": {"RAY_AUTH_TOKEN": {}},
}
SLOW = '#!/bin/bash\n[[ $* != *RAY_TMPDIR* ]] || { : >"${SCANNING}" && sleep 2; }\nexec /usr/bin/grep "$@"\n'
"""A grep that takes its time over the processes of a large machine."""


def cluster_for(make: Make, way: str, **options: Any) -> Cluster:
    return make(nodes=1, ray_on_host=way in {"manual", "skypilot", "dstack"}, **options)


def start(sim: Cluster, way: str, *, env: dict[str, str] | None = None, **fields: Any) -> Process:
    folder = render(sim, {**FIELDS, **fields, "targets": {"job": WAYS[way]}})
    script = folder / ("head.sh" if WAYS[way]["kind"] == "manual" else "boot.sh")
    # SkyPilot's run would wait for the other one.
    script.write_text(script.read_text().replace("SECONDS + 60", "SECONDS + 1"))
    token = {"RAY_AUTH_TOKEN": "0" * 32}
    return sim.spawn(["bash", str(script)], node="node1", env={**RANK, **token, **(env or {})})


def seen(sim: Cluster) -> tuple[list[str], list[str], list[str]]:
    """What belongs to the run: names in its folder, its driver, its containers."""
    (folder,) = sim.tmp("node1").glob("mngen*")
    drivers = [str(row["pid"]) for row in sim.processes() if "sim-driver" in " ".join(row["argv"])]
    running = [str(one["name"]) for one in sim.containers() if one["state"] == "running"]
    return sorted(path.name for path in folder.iterdir()), drivers, running


def at_work(sim: Cluster, way: str) -> Process:
    first = start(sim, way)
    sim.wait_record("driver", timeout=30)
    return first


def untouched(sim: Cluster, first: Process, before: object, second: Result) -> None:
    said = second.stdout + second.stderr
    assert seen(sim) == before, said
    assert first.poll() is None, said
    assert "cleaned up" not in said
    assert list((sim.work / "logs").glob("ray-*")) == [], said
    first.signal(15)
    assert first.wait(40).status == 143


@pytest.mark.parametrize(("way", "number"), [*((way, 15) for way in WAYS), ("manual", 2), ("docker", 2)])
def test_one_that_is_told_to_end_while_it_looks_around_touches_nothing(cluster: Make, way: str, number: int) -> None:
    sim = cluster_for(cluster, way, faults={"*": {"driver": {"sleep": 300}}})
    first = at_work(sim, way)
    before = seen(sim)
    tools, scanning = sim.work / "tools", sim.work / "scanning"
    tools.mkdir()
    (tools / "grep").write_text(SLOW)
    (tools / "grep").chmod(0o755)
    env = {"PATH": f"{tools}:{sim.environment()['PATH']}", "SCANNING": str(scanning)}
    second = start(sim, way, env=env)
    sim.wait_for(scanning.exists, 10)
    second.signal(number)
    done = second.wait(30)
    assert done.status == 143, done.stdout + done.stderr
    untouched(sim, first, before, done)


@pytest.mark.parametrize("way", WAYS)
def test_one_whose_logs_have_no_place_touches_nothing(cluster: Make, way: str) -> None:
    sim = cluster_for(cluster, way, faults={"*": {"driver": {"sleep": 300}}})
    first = at_work(sim, way)
    before = seen(sim)
    (sim.work / "file").write_text("")
    done = start(sim, way, logs={**FIELDS["logs"], "dir": f"{sim.work}/file/logs"}).wait(30)
    assert done.status == 78, done.stdout + done.stderr
    untouched(sim, first, before, done)


@pytest.mark.parametrize("way", WAYS)
def test_logs_without_a_place_are_named(cluster: Make, way: str) -> None:
    sim = cluster_for(cluster, way)
    (sim.work / "file").write_text("")
    done = start(sim, way, logs={**FIELDS["logs"], "dir": f"{sim.work}/file/logs"}).wait(30)
    assert done.status == 78, done.stdout + done.stderr
    assert f"ERROR: cannot make the log folder {sim.work}/file/logs" in done.stdout + done.stderr
    assert list(sim.tmp("node1").glob("mngen*")) == []


ENDING = "trap 'sleep 4; echo saved; exit 0' TERM; sim-driver & wait $!"
"""A driver that saves its state when it is told to end."""


@pytest.mark.parametrize("ends", [True, False], ids=["ends", "stays"])
def test_a_job_of_skypilots_queue_waits_for_the_cancelled_one(cluster: Make, ends: bool) -> None:
    """`sky cancel` tells a job to end and starts the next one at once; a job that stays is not waited for for ever."""
    sim = cluster(nodes=1, faults={"*": {"driver": {"sleep": 300}}})
    target = {"targets": {"job": WAYS["skypilot"]}}
    first = tasks.start_skypilot(sim, render(sim, {**target, "driver": {"command": ["bash", "-c", ENDING]}}) / FILE)
    sim.wait_record("driver", timeout=30)
    if ends:
        first.stop()
        sim.set_faults({"*": {"driver": {"exit": 0}}})
    (sim.home / SCRIPT.removeprefix("~/")).unlink()
    folder = render(sim, target)
    if not ends:
        text = (folder / "boot.sh").read_text()
        (folder / "boot.sh").write_text(text.replace("SECONDS + 60", "SECONDS + 2"))
    (second,) = tasks.start_skypilot(sim, folder / FILE).wait(60)
    said = second.stdout + second.stderr
    assert said.count("another run is still at work in /tmp/mngen-0") == 1, said
    assert second.status == (0 if ends else 78), said
    assert ("another run is at work in /tmp/mngen-0 on this machine" in said) != ends
    assert ("saved" in first.said()) == ends
    first.stop()
    assert first.wait(40)[0].status == 143
