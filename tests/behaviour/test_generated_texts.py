"""What a manifest's own texts and services do in a generated job: in which order, and what their failure does."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from generated import render

from mngen.rehearse.cluster import Cluster, JobResult
from mngen.render.compiled import TEMPLATES

Make = Callable[..., Cluster]


def run(sim: Cluster, **fields: Any) -> JobResult:
    return sim.sbatch(render(sim, fields) / "job.sbatch")


def test_what_setup_exports_and_where_it_goes_lasts(cluster: Make) -> None:
    sim = cluster(nodes=1)
    (sim.work / "deep").mkdir()
    setup = "export FROM_SETUP='a b'\ncd deep\n[[ -z $UNSET_HERE ]]\n"
    done = run(sim, setup=setup, host_setup="export FROM_HOST=1\n")
    assert done.status == 0, done.log
    (driver,) = sim.records("driver")
    assert (driver["env"]["FROM_SETUP"], driver["env"]["FROM_HOST"]) == ("a b", "1")
    assert driver["cwd"] == f"{sim.work}/deep"


@pytest.mark.parametrize("name", ["setup", "host_setup"])
def test_a_failing_line_of_setup_is_named_and_ends_the_job_before_ray(cluster: Make, name: str) -> None:
    sim = cluster(nodes=1)
    done = run(sim, **{name: "true\nprobe() {\n  false\n}\nprobe\ntrue\n"})
    assert done.status == 78
    assert re.search(rf"node1: ERROR: {name}\.sh failed at line [35] with status 1", done.log), done.log
    assert sim.records("ray") == []


@pytest.mark.parametrize("runtime", ["none", "apptainer"])
@pytest.mark.parametrize("name", ["setup", "host_setup"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("true\n[[ -d /nowhere ]] && export A=1\n", "failed at line (its end) with status 1"),
        ("return 3", "failed at line (its end) with status 3"),
        ("source /nowhere/activate\ntrue", "ended with 1"),
        ("exit 5", "ended with 5"),
    ],
)
def test_a_text_that_ends_badly_ends_the_job_by_name(
    cluster: Make, name: str, text: str, said: str, runtime: str
) -> None:
    sim = cluster(nodes=1)
    (sim.work / "image.sif").touch()
    image = {} if runtime == "none" else {"image": {"sif": str(sim.work / "image.sif")}}
    done = run(sim, **{name: text}, targets={"job": {"kind": "slurm", "runtime": runtime, **image}})
    assert (done.status, done.leftovers) == (78, []), done.log
    assert f"node1: ERROR: {name}.sh {said}\n" in done.log
    assert sim.records("ray") == []


@pytest.mark.parametrize("name", ["setup", "host_setup"])
def test_a_job_that_is_told_to_end_in_a_text_was_cancelled(cluster: Make, name: str) -> None:
    sim = cluster(nodes=1)
    job = sim.submit(render(sim, {name: f": >{sim.work}/begun\nsleep 60"}) / "job.sbatch")
    sim.wait_for((sim.work / "begun").exists, 20)
    job.cancel()
    done = job.wait()
    assert (done.status, done.leftovers) == (143, []), done.log
    assert "ERROR" not in done.log


def test_a_warning_that_comes_before_the_driver_reaches_it(tmp_path: Path) -> None:
    (tmp_path / "time_limit").touch()
    code = f"{(TEMPLATES / 'shell' / 'time_limit.sh').read_text()}pass_time_limit"
    variables = {**os.environ, "JOB_DIR": str(tmp_path), "SIGNAL": "USR1"}
    driver = ["bash", "-c", "trap 'exit 9' USR1; echo; while :; do sleep 0.1; done"]
    with (
        subprocess.Popen(["bash", "-c", code], env=variables) as part,
        subprocess.Popen(driver, stdout=subprocess.PIPE) as told,
    ):
        try:
            assert told.stdout is not None
            told.stdout.readline()
            time.sleep(1.5)  # the part looks once a second
            (tmp_path / "driver.pid").symlink_to(f"{told.pid}")
            assert told.wait(20) == 9
        finally:
            part.kill()
            told.kill()


@pytest.mark.parametrize("listens", ["::1", "${{ node_ip }}"])
@pytest.mark.parametrize("ready", [{"tcp": True}, {"http": "/"}])
def test_a_service_is_found_at_the_address_where_it_listens(cluster: Make, listens: str, ready: dict[str, Any]) -> None:
    sim = cluster(nodes=1, net="dual")
    port = "${{ services.side.port }}"
    command = ["python3", "-m", "http.server", "--bind", listens, port]
    fields = {"services": {"side": {"command": command, "port": "auto", "ready": {**ready, "timeout": 20}}}}
    done = run(sim, **fields, env={"http_proxy": "http://192.0.2.1:9"})
    assert done.status == 0, done.log
    assert "service side is ready" in done.log


def test_preparation_comes_before_ray_and_before_the_driver(cluster: Make) -> None:
    sim = cluster()
    order = f"echo $NODE_RANK-%s >>{sim.work}/order"
    steps = [
        {"run": order % "each", "when": "before-ray", "on": "every-node"},
        {"run": order % "head", "when": "before-ray", "on": "head", "creates": f"{sim.work}/never"},
        {"run": order % "there", "when": "before-ray", "on": "head", "creates": str(sim.work)},
        {"run": order % "last"},
    ]
    command = ["sh", "-c", f"echo driver >>{sim.work}/order"]
    done = run(sim, prepare=steps, driver={"command": command})
    assert done.status == 0, done.log
    lines = (sim.work / "order").read_text().split()
    assert sorted(lines) == sorted(["0-each", "1-each", "0-head", "0-last", "driver"])
    assert [line for line in lines if line.startswith(("0", "d"))] == ["0-each", "0-head", "0-last", "driver"]


@pytest.mark.parametrize("when", ["before-ray", "before-driver"])
def test_a_step_that_fails_ends_the_job_by_name(cluster: Make, when: str) -> None:
    sim = cluster(nodes=1)
    done = run(sim, prepare=[{"name": "get data", "run": "false\ntrue", "when": when}])
    assert done.status == 78
    assert "node1: ERROR: step get data ended with status 1" in done.log
    assert sim.records("driver") == []


@pytest.mark.parametrize("ready", [{"tcp": True}, {"http": "/health"}, {"command": ["sh", "-c", "test -e up"]}])
def test_the_driver_waits_for_services(cluster: Make, ready: dict[str, Any]) -> None:
    sim = cluster(nodes=1, faults={"*": {"service": {"delay": 1.5}}})
    service = {"command": ["sim-service", "--port", "${{ services.side.port }}"], "port": "auto", "ready": ready}
    if "command" in ready:
        service["command"] = ["sh", "-c", "sleep 1.5; : >up; exec sim-service"]
    done = run(sim, services={"side": service})
    assert done.status == 0, done.log
    (driver,) = sim.records("driver")
    (start,) = [call for call in sim.records("ray") if call["argv"][0] == "start"]
    first = sim.records("service")[0]["time"]
    assert driver["time"] > start["time"] > first + (0 if "command" in ready else 1.5)
    assert "service side is ready" in done.log


def test_a_service_that_is_never_ready_ends_the_job_by_name(cluster: Make) -> None:
    sim = cluster(nodes=1, faults={"*": {"service": {"delay": 60}}})
    service = {
        "command": ["sim-service", "--port", "${{ services.side.port }}"],
        "port": "auto",
        "ready": {"tcp": True, "timeout": 1},
    }
    done = run(sim, services={"side": service})
    assert done.status == 76
    assert "service side is not ready on node1" in done.log
    assert sim.records("driver") == []


def test_a_container_ends_when_its_client_and_its_job_are_killed(cluster: Make) -> None:
    sim = cluster(nodes=1, ray_on_host=False, faults={"*": {"driver": {"sleep": 60}}})
    target = {"kind": "slurm", "runtime": "docker", "image": {"ref": "example/image:1"}}
    job = sim.submit(render(sim, {"targets": {"job": target}}) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    (container,) = sim.containers()
    assert container["state"] == "running"
    outside = [
        row["pid"] for row in sim.processes() if "/job.sh" in " ".join(row["argv"]) and "inside" not in row["argv"]
    ]
    clients = [row["pid"] for row in sim.processes() if "--interactive" in row["argv"]]
    sim.kill(outside + clients, signal.SIGKILL)
    start = time.monotonic()
    sim.wait_for(lambda: not any(one["state"] == "running" for one in sim.containers()), 15)
    assert time.monotonic() - start < 15
    job.wait()


def test_a_setup_that_fails_on_all_nodes_at_once_has_one_reason_and_leaves_nothing(cluster: Make) -> None:
    """Slurm ends the others as soon as one has failed, while they are about to fail themselves."""
    sim = cluster(nodes=4, ray_on_host=False)
    target = {
        "kind": "slurm",
        "runtime": "apptainer",
        "image": {"ref": "example/image:1"},
        "host_setup": "sleep 1; false",
    }
    script = render(sim, {"targets": {"job": target}, "resources": {"nodes": 4}}) / "job.sbatch"
    for _ in range(2):
        done = sim.sbatch(script)
        assert done.status == 78, done.log
        left = {node: [path.name for path in sim.tmp(node).glob("mngen*")] for node in sim.names}
        assert left == {name: [] for name in sim.names}


@pytest.mark.parametrize("runtime", ["docker", "podman"])
def test_a_container_in_which_a_command_hangs_ends_with_its_job(cluster: Make, runtime: str) -> None:
    """bash hears a signal only when the command that it waits for has ended; nobody outside sees that command."""
    sim = cluster(ray_on_host=False)
    target = {"kind": "slurm", "runtime": runtime, "image": {"ref": "example/image:1"}}
    setup = "[[ $(hostname) != node2 ]] || sleep 600"
    manifest = {"setup": setup, "ray": {"ready_timeout": 4}, "targets": {"job": target}}
    done = sim.sbatch(render(sim, manifest) / "job.sbatch", timeout=40)
    assert done.status == 75, done.log
    assert [one for one in sim.containers() if one["state"] == "running"] == []
    assert [row["argv"] for row in sim.processes() if row["argv"] == ["sleep", "600"]] == []
    assert list(sim.tmp("node2").glob("mngen*")) == []


def test_a_container_whose_client_is_killed_clears_up_before_it_is_removed(cluster: Make) -> None:
    """What the image's root made in the job's folder, nobody outside can remove."""
    sim = cluster(nodes=1, ray_on_host=False, faults={"*": {"driver": {"sleep": 60}}})
    target = {"kind": "slurm", "runtime": "docker", "image": {"ref": "example/image:1"}}
    mount = {"source": str(sim.work), "target": "/kept"}
    manifest = {"cleanup": "sleep 0.5; touch /kept/cleared", "mounts": [mount], "targets": {"job": target}}
    job = sim.submit(render(sim, manifest) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    sim.kill([row["pid"] for row in sim.processes() if "--interactive" in row["argv"]], signal.SIGKILL)
    done = job.wait()
    assert done.status == 76, done.log
    sim.wait_for(lambda: not sim.containers(), 15)
    assert sim.left("node1") == []
    assert (sim.work / "cleared").exists(), done.log


@pytest.mark.parametrize(
    "kind", [{"kind": "slurm"}, {"kind": "slurm", "runtime": "docker", "image": {"ref": "example/image:1"}}]
)
def test_workers_wait_as_long_as_services_of_the_head_may_take(cluster: Make, kind: dict[str, Any]) -> None:
    """The head's Ray starts when they are ready, each after the one before."""
    sim = cluster(ray_on_host="runtime" not in kind, faults={"*": {"service": {"delay": 3}}})
    service = {"command": ["sim-service", "--port", "${{ services.NAME.port }}"], "on": "head", "port": "auto"}
    ready = {"tcp": True, "timeout": 20}
    services = {
        name: {**service, "command": [word.replace("NAME", name) for word in service["command"]], "ready": ready}
        for name in ("one", "two")
    }
    manifest = {"ray": {"ready_timeout": 4}, "services": services, "targets": {"job": kind}}
    done = sim.sbatch(render(sim, manifest) / "job.sbatch", timeout=60)
    assert done.status == 0, done.log
