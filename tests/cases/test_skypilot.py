"""Bug cases about SkyPilot (B137, B139): its own Ray on the same machines, and how a head is waited for."""

import re
import time
from collections.abc import Callable

import pytest
from generated import render
from plain import errors, files, ray_starts

from mngen.rehearse import tasks
from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
TARGET = {"kind": "skypilot", "image": {"ref": "example/image:1"}}


def test_b137_the_jobs_ray_has_ports_of_its_own_and_the_driver_its_address(cluster: Make) -> None:
    sim = cluster(nodes=1, faults={"*": {"driver": {"connect": True}}})
    (head,) = tasks.skypilot(sim, render(sim, {"targets": {"job": TARGET}}), env={"RAY_ADDRESS": "127.0.0.1:6380"})
    assert head.status == 0, head.stdout
    (driver,) = sim.records("driver")
    assert driver["env"]["RAY_ADDRESS"] == "10.77.0.1:6379"
    (start,) = ray_starts(sim)
    ports = {word.rpartition("=")[2] for word in start["argv"] if re.search(r"-port=\d+$", word)}
    # SkyPilot's own: sky/skylet/constants.py, and Ray's defaults that it leaves as they are.
    assert not ports & {"6380", "8266", "10001", "52365", "8076"}


def test_b137_skypilots_ray_is_not_stopped(cluster: Make) -> None:
    sim = cluster(nodes=1)
    folder = render(sim, {"targets": {"job": TARGET}})
    tasks.skypilot(sim, folder)
    assert [call["argv"] for call in sim.records("ray") if call["argv"][0] == "stop"] == []
    assert not re.search(r"^[^#\n]*\bray stop", (folder / "boot.sh").read_text(), re.MULTILINE)


@pytest.mark.parametrize(("name", "port"), [("gcs", 6380), ("dashboard", 8266)])
def test_b137_skypilots_ports_are_refused(name: str, port: int) -> None:
    (found,) = errors(targets={"job": TARGET}, ray={"ports": {name: port}})
    assert "SkyPilot" in found.message
    assert found.hint


def test_b139_no_process_list_is_searched() -> None:
    made = files(targets={"job": TARGET})
    for path, text in made.items():
        assert not re.search(r"^[^#\n]*(\bps (aux|-e)|\bpgrep\b|\bpidof\b)", text, re.MULTILINE), path


def test_b139_a_line_about_ray_elsewhere_does_not_keep_ray_from_starting(cluster: Make) -> None:
    sim = cluster(nodes=1)
    other = sim.spawn(["bash", "-c", "exec -a 'ray start --port=6379' sleep 30"], node="node1")
    (head,) = tasks.skypilot(sim, render(sim, {"targets": {"job": TARGET}}))
    assert head.status == 0, head.stdout
    assert other.poll() is None
    assert len(ray_starts(sim)) == 1


LISTEN = "import socket, sys, time; s = socket.create_server((sys.argv[1], int(sys.argv[2]))); time.sleep(30)"


def test_b139_a_worker_waits_for_the_exact_address(cluster: Make) -> None:
    sim = cluster()
    text = files(targets={"job": TARGET})["job/boot.sh"]
    before, start, _ = text.rpartition('\ninside "$@"')
    assert start
    settings = "NODE_NAME=rank-1 HEAD_IP=10.77.0.1 GCS_PORT=6379 HEAD_ADDRESS=10.77.0.1:6379 DEADLINE=60\n"
    waiting = sim.spawn(["bash", "-c", f"{before}\n{settings}wait_while head_is_missing"], node="node2")
    for port in ("6380", "8266"):
        sim.spawn(["python3", "-c", LISTEN, "10.77.0.1", port], node="node1")
    time.sleep(0.7)
    assert waiting.poll() is None
    sim.spawn(["python3", "-c", LISTEN, "10.77.0.1", "6379"], node="node1")
    assert waiting.wait(5).status == 0
