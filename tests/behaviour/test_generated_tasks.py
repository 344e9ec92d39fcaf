"""Generated SkyPilot and dstack tasks, whole, run as these systems run them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from generated import render

from mngen.rehearse import tasks
from mngen.rehearse.cluster import Cluster, Result

Make = Callable[..., Cluster]
KINDS = ["skypilot", "dstack"]
RUN: dict[str, Callable[..., list[Result]]] = {"skypilot": tasks.skypilot, "dstack": tasks.dstack}


def manifest(kind: str, **fields: Any) -> dict[str, Any]:
    target = {"kind": kind, "image": {"ref": "example/image:1"}, "resources": {"gpu_type": "h100"}}
    return {"targets": {"job": target}, "ray": {"ready_timeout": 20}, **fields}


def run(sim: Cluster, kind: str, *, env: dict[str, str] | None = None, **fields: Any) -> list[Result]:
    return RUN[kind](sim, render(sim, manifest(kind, **fields)), env=env, timeout=40)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", [0, 7])
def test_the_drivers_status_is_the_runs(cluster: Make, kind: str, status: int) -> None:
    sim = cluster(gpus=2, faults={"*": {"driver": {"exit": status, "connect": True}}})
    head, worker = run(sim, kind)
    assert head.status == status, head.stdout + head.stderr
    # The head's failure, or its end on dstack, ends a worker; otherwise it ends by itself, and well.
    assert worker.status == 0 or status or kind == "dstack", worker.stdout + worker.stderr
    (driver,) = sim.records("driver")
    assert driver["node"] == "node1"
    sim.wait_for(lambda: not sim.processes())


@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_follows_the_head_to_its_end(cluster: Make, kind: str) -> None:
    sim = cluster(faults={"*": {"driver": {"sleep": 1}}})
    results = run(sim, kind)
    said = results[1].stdout + results[1].stderr
    assert results[0].status == 0, results[0].stdout + results[0].stderr
    assert results[1].status == 0 or kind == "dstack", said


@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_that_never_joins_is_named(cluster: Make, kind: str) -> None:
    sim = cluster(faults={"node2": {"ray_never_join": True}})
    head, _ = run(sim, kind, ray={"ready_timeout": 3})
    said = head.stdout + head.stderr
    assert head.status == 75, said
    assert "missing: rank-1" in said
    assert sim.records("driver") == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_secret_stops_every_node_by_name(cluster: Make, kind: str) -> None:
    sim = cluster()
    fields = {"secrets": {"WANDB_API_KEY": {}}, "logs": {"driver": "train.log", "ray_session": "on-failure"}}
    results = run(sim, kind, env={"WANDB_API_KEY": ""}, **fields)
    # The first node to end this way has the launcher kill the rest.
    said = "".join(result.stdout + result.stderr for result in results)
    assert 78 in (ends := {result.status for result in results}), said
    assert ends <= {78, 137}, said
    assert "WANDB_API_KEY" in said
    assert sim.records("ray_node") == []


def test_arguments_after_dstack_apply_reach_the_driver(cluster: Make) -> None:
    sim = cluster()
    given = ["a b", "$(touch /tmp/x)", "it's", "", "*"]
    done = tasks.dstack(sim, render(sim, manifest("dstack")), args=given, timeout=40)
    assert done[0].status == 0, done[0].stdout
    assert sim.records("driver")[0]["argv"] == given


def test_skypilots_own_settings_for_ray_do_not_reach_the_job(cluster: Make) -> None:
    sim = cluster(nodes=1)
    inherited = {
        "OMP_NUM_THREADS": "1",
        "RAY_JOB_ID": "01000000",
        "RAY_RAYLET_PID": "7",
        "RAY_ADDRESS": "10.0.0.1:6380",
    }
    (head,) = run(sim, "skypilot", env=inherited)
    assert head.status == 0, head.stdout + head.stderr
    seen = sim.records("driver")[0]["env"]
    assert [name for name in inherited if seen.get(name) == inherited[name]] == []


def test_a_second_run_on_a_machine_leaves_the_first_alone(cluster: Make) -> None:
    sim = cluster(nodes=1)
    folder = sim.tmp("node1") / "mngen-0"
    folder.mkdir()
    first = sim.spawn(["bash", "-c", "exec -a mngen-boot.sh sleep 30"], node="node1")
    look = ["pgrep", "-f", "^mngen-boot"]
    sim.wait_for(lambda: sim.run(look, node="node1").status == 0)
    (folder / "pid").write_text(sim.run(look, node="node1").stdout)
    task = render(sim, manifest("skypilot"))
    script = task / "boot.sh"
    script.write_text(script.read_text().replace("SECONDS + 60", "SECONDS + 1"))  # it waits for the other one
    (done,) = tasks.skypilot(sim, task)
    assert done.status == 78, done.stdout + done.stderr
    assert "another run" in done.stdout + done.stderr
    assert (folder / "pid").exists()
    first.signal(9)
