"""Bug cases about ports, limits and shared memory (B14 to B22): what jobs on one node must not take from each other."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from generated import render
from plain import PlainJob, files, functions, job_file, option, ray_starts

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
IMAGE = {"ref": "example/image:1"}


def ports(start: dict[str, Any]) -> set[str]:
    """Every port that a `ray start` call names."""
    words = [word.partition("=") for word in start["argv"]]
    return {value for name, _, value in words if name.endswith("port")}


def test_b14_ports_come_from_the_job_id(cluster: Make) -> None:
    sim = cluster(nodes=1)
    text = job_file()
    (first,) = re.findall(r"^  local (first=.*)$", text, re.MULTILINE)
    words = " ".join(re.findall(r"--[a-z-]+-port=(\$\(\(.*?\)\)|\S+)", text))
    body = f'NODE_NAME=batch\ntake_ports "$1" 256\n{first}\nprintf "%s " "${{first}}" {words}\n'
    found = {}
    for job in ("1000", "1001"):
        done = sim.run(["bash", "-c", functions(text) + body, "x", job], node="node1")
        assert done.status == 0, done.stderr
        found[job] = {int(word.rpartition("=")[2]) for word in done.stdout.split()}
        assert all(1024 <= port < 32768 for port in found[job])
    low, high = (sorted(found[job]) for job in ("1000", "1001"))
    assert low[0] != high[0]
    assert not found["1000"] & found["1001"]


@pytest.mark.parametrize("client", [True, False])
def test_the_clients_port_is_given_to_a_ray_that_takes_it(cluster: Make, client: bool) -> None:
    """`pip install ray` alone refuses the port; `ray[default]` would take 10001, which other jobs want too."""
    sim = cluster(nodes=2, ray_client=client)
    job = sim.submit(render(sim, {}) / "job.sbatch").wait()
    assert job.status == 0, job.log()
    head, worker = ray_starts(sim)
    given = ["--ray-client-server-port" in " ".join(start["argv"]) for start in (head, worker)]
    assert given == [client, False]


def test_b14_head_worker_and_driver_see_one_port(plain_job: PlainJob) -> None:
    head, worker = plain_job.starts()
    address = f"10.77.0.1:{option(head, 'port')}"
    assert option(worker, "address") == plain_job.driver()["env"]["RAY_ADDRESS"] == address
    assert ports(worker) < ports(head)


def test_b14_jobs_of_one_node_whose_ids_want_the_same_ports(cluster: Make) -> None:
    sim = cluster(nodes=1, first_job=1000, faults={"*": {"driver": {"connect": True, "sleep": 60, "traps": ["USR1"]}}})
    script = render(sim, {}) / "job.sbatch"
    first = sim.submit(script)
    sim.wait_record("driver", 1)
    (sim.root / "state" / "counter.json").write_text(json.dumps({"next": 1256}))
    second = sim.submit(script)
    sim.wait_record("driver", 2)
    assert (first.id, second.id) == ("1000", "1256")
    one, two = ray_starts(sim)
    assert not ports(one) & ports(two), first.log() + second.log()
    sim.kill([driver["pid"] for driver in sim.records("driver")], 10)
    assert [job.wait().status for job in (first, second)] == [0, 0], second.log()
    assert sim.left("node1") == []


def listener(sim: Cluster, node: str, port: int) -> None:
    """A process on a node that has a port."""
    code = f"import socket, time; s = socket.create_server(('', {port})); print('up', flush=True); time.sleep(60)"
    process = sim.spawn(["python3", "-c", code], node=node)
    sim.wait_for(lambda: "up" in process.out.read_text())


def test_b14_blocks_that_are_held_or_in_use_are_passed_over(cluster: Make) -> None:
    sim = cluster(nodes=1, first_job=1000)
    (sim.tmp("node1") / "mngen-ports-232").mkdir()
    held = sim.spawn(["flock", "/tmp/mngen-ports-232", "sh", "-c", "echo held; exec sleep 60"], node="node1")
    sim.wait_for(held.out.read_text)
    listener(sim, "node1", 10240 + 32 * 233 + 31)
    done = sim.sbatch(render(sim, {}) / "job.sbatch")
    assert done.status == 0, done.log
    assert option(ray_starts(sim)[0], "port") == str(10240 + 32 * 234)


def test_b14_a_worker_whose_ports_are_taken_stops_the_job_by_name(cluster: Make) -> None:
    sim = cluster(first_job=5)
    listener(sim, "node2", 10240 + 32 * 5 + 7)
    done = sim.sbatch(render(sim, {}) / "job.sbatch")
    assert done.status == 77
    assert "node2: ERROR: ports 10400 to 10431 are taken here" in done.log


def test_b20_the_driver_gets_host_and_port_and_only_job_submit_a_url(cluster: Make) -> None:
    sim = cluster(nodes=1, faults={"*": {"driver": {"connect": True}}})
    script = render(sim, {"driver": {"command": ["sim-driver"], "submit": "ray-job"}}) / "job.sbatch"
    done = sim.sbatch(script, env={"RAY_ADDRESS": "http://192.0.2.9:8265"})
    assert done.status == 0, done.log
    (head,) = ray_starts(sim)
    assert "RAY_ADDRESS" not in head["env"]
    (submit,) = [call for call in sim.records("ray") if call["argv"][:2] == ["job", "submit"]]
    url = submit["argv"][submit["argv"].index("--address") + 1]
    assert url == f"http://127.0.0.1:{option(head, 'dashboard-port')}"
    (driver,) = sim.records("driver")
    assert driver["env"]["RAY_ADDRESS"] == f"10.77.0.1:{option(head, 'port')}"
    assert [call for call in sim.records("ray_init") if call["env_address"] == driver["env"]["RAY_ADDRESS"]]


def test_b20_a_stale_address_does_not_reach_ray(plain_job: PlainJob) -> None:
    assert plain_job.done.status == 7, plain_job.done.log
    assert [call["env"].get("RAY_ADDRESS") for call in plain_job.starts()] == [None, None]


@pytest.mark.parametrize(("hard", "reached"), [(4096, "4096"), (16384, "8192")])
def test_b21_a_soft_limit_goes_up_to_the_hard_one(cluster: Make, hard: int, reached: str) -> None:
    sim = cluster(nodes=1)
    enter = f'ulimit -S -n 1024; ulimit -H -n {hard}; exec "$@"'
    target = {"kind": "slurm", "runtime": "prefix", "container": {"prefix": ["bash", "-c", enter, "enter"]}}
    fields = {"ulimits": {"nofile": 8192}, "driver": {"command": ["sh", "-c", 'exec sim-driver "$(ulimit -n)"']}}
    done = sim.sbatch(render(sim, {**fields, "targets": {"job": target}}) / "job.sbatch")
    assert done.status == 0, done.log
    assert sim.records("driver")[0]["argv"] == [reached]
    assert ("warning: ulimit -n stays at 4096" in done.log) == (hard == 4096)


def test_b22_one_field_sizes_shared_memory_wherever_it_can_be_sized() -> None:
    for runtime in ("docker", "podman"):
        target = {"kind": "slurm", "runtime": runtime, "image": IMAGE, "resources": {"shm": "128GB"}}
        assert "--shm-size 128G" in job_file(targets={"job": target})
    target = {"kind": "dstack", "image": IMAGE, "resources": {"shm": "128GB"}}
    assert "shm_size: 128GB" in files(targets={"job": target})["job/task.dstack.yml"]


def test_b22_docker_gives_what_was_asked_for(cluster: Make) -> None:
    sim = cluster(nodes=1, ray_on_host=False)
    target = {"kind": "slurm", "runtime": "docker", "image": IMAGE, "resources": {"shm": "96M"}}
    done = sim.sbatch(render(sim, {"targets": {"job": target}}) / "job.sbatch")
    assert done.status == 0, done.log
    assert [call["shm"] for call in sim.records("container")] == ["100663296"]


@pytest.mark.parametrize("runtime", ["none", "apptainer", "pyxis"])
def test_b22_where_the_host_sizes_it_a_smaller_one_stops_the_job(cluster: Make, runtime: str) -> None:
    sim = cluster(nodes=1, shm="64m", ray_on_host=runtime == "none", pyxis=runtime == "pyxis")
    target: dict[str, Any] = {"kind": "slurm", "runtime": runtime, "resources": {"shm": "128M"}}
    if runtime != "none":
        target["image"] = IMAGE
    done = sim.sbatch(render(sim, {"targets": {"job": target}}) / "job.sbatch")
    assert done.status == 77
    assert "/dev/shm has 65536 KiB free, wanted 131072; node node1" in done.log
    assert ray_starts(sim) == []


@pytest.mark.parametrize("kind", ["slurm", "skypilot", "dstack", "manual"])
@pytest.mark.parametrize("port", ["auto", 8000])
@pytest.mark.parametrize("ready", [{}, {"ready": {"command": ["test", "-e", "/x"]}}, {"ready": {"tcp": True}}])
def test_a_service_has_a_variable_for_its_port_where_something_reads_it(
    kind: str, port: str | int, ready: dict[str, Any]
) -> None:
    service = {"command": ["serve"], "port": port, **ready}
    target = {"kind": kind, **({} if kind in ("slurm", "manual") else {"image": IMAGE})}
    for path, text in files(targets={"job": target}, services={"helper": service}).items():
        uses = text.count("HELPER_PORT") - len(re.findall(r"\bHELPER_PORT=", text))
        assert (uses > 0) == ("HELPER_PORT=" in text), path
        assert uses or "tcp" not in str(ready) or not path.endswith(("job.sbatch", "boot.sh", "head.sh")), path
