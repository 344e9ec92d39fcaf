"""Each guarantee of docs/guarantees.md on every way to run; one run of each way is looked at by several tests.

What other tests show of a way is not repeated here; the page names those.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import guaranteed
import pytest
import ways
from generated import render
from guaranteed import ARGUMENTS, BOOT, FACTS, GREETING, SECRET, TOKEN, faulty, whole

from mngen import render as renderer
from mngen import targets
from mngen.checks.tree import CheckOptions, check_tree
from mngen.manifest.load import load
from mngen.manifest.placeholders import NODE_NAMES
from mngen.rehearse.cluster import Cluster

each_way = pytest.mark.parametrize("way", ways.WAYS)
MARK = re.compile(r"^mngen-verdict (.*)$", re.MULTILINE)


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A factory of clusters that fit a way; they end with the test."""
    made: list[Cluster] = []

    def make(way: str, **options: Any) -> Cluster:
        made.append(ways.cluster(way, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@each_way
def test_g1_every_node_has_its_own_address_in_both_forms(way: str) -> None:
    run = whole(way)
    head, worker = run.starts()
    joined = f"[fd77::1]:{run.option(head, 'port')}"
    assert run.option(worker, "address") == joined
    for call, own in ((head, "fd77::1"), (worker, "fd77::2"), (run.driver(), "fd77::1")):
        env = call["env"]
        assert (env["HEAD_IP"], env["HEAD_ADDRESS"], env["NODE_IP"]) == ("fd77::1", joined, own)
        assert env["VLLM_HOST_IP"] == own
        assert (env["GLOO_SOCKET_IFNAME"], env["NCCL_SOCKET_IFNAME"]) == ("eth0", "=eth0")
    assert [run.option(call, "node-ip-address") for call in (head, worker)] == ["fd77::1", "fd77::2"]


@each_way
def test_g2_the_driver_waits_for_all_nodes_and_gpus(way: str) -> None:
    run = whole(way)
    assert "2 of 2 nodes, 4 of 4 GPUs" in run.log
    assert '"GPU": 4.0' in run.log
    assert len(run.records["srun"]) == (0 if way in BOOT else 1), "one step starts all nodes"


@pytest.mark.parametrize("way", [way for way in ways.WAYS if way not in ("none", "skypilot", "dstack")])
def test_g2_a_node_that_does_not_join_in_time_is_named(cluster: Any, way: str) -> None:
    sim = cluster(way, faults={"node2": {"ray_never_join": True}})
    statuses, log = faulty(way, sim, ray={"ready_timeout": 2})
    assert statuses[0] == 75, log
    # A hand-started head does not know the names of the machines to come.
    assert ("1 of 2 nodes" if way == "manual" else "missing: node2") in log
    assert sim.records("driver") == []


@pytest.mark.parametrize("way", ways.WAYS[1:])
def test_g3_a_part_that_dies_ends_the_job_and_is_named(cluster: Any, way: str) -> None:
    sim = cluster(way, faults={"node2": {"ray_die_after": 1}, "*": {"driver": {"sleep": 60}}})
    statuses, log = faulty(way, sim)
    assert 76 in statuses, log
    assert all(statuses)
    assert f"ray has ended on {'rank-1' if way in ('skypilot', 'dstack') else 'node2'}" in log
    sim.wait_for(lambda: not sim.processes() and not sim.containers(), 15)


@each_way
def test_g4_the_drivers_status_is_the_jobs(way: str) -> None:
    run = whole(way)
    assert run.status == 7, run.log
    if way not in BOOT:
        (verdict,) = MARK.findall(run.log)
        assert json.loads(verdict) == {"job": "1", "attempt": 0, "status": 7, "reason": "driver"}


@each_way
def test_g5_nothing_is_left(way: str) -> None:
    run = whole(way)
    assert (run.processes, run.containers) == ([], [])
    assert run.left[0] == []
    # SkyPilot and dstack kill the workers once the head has failed; the next run clears the folder away.
    assert len(run.left[1]) == (1 if way in ("skypilot", "dstack") else 0)


@pytest.mark.parametrize("way", ["podman", "pyxis", "prefix"])
def test_g5_a_cancelled_job_leaves_nothing(cluster: Any, way: str) -> None:
    sim = cluster(way, kill_wait=8.0, faults={"*": {"driver": {"sleep": 60}}})
    job = sim.submit(render(sim, {"targets": {"job": ways.target(way, sim)}}) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    job.cancel()
    done = job.wait(30)
    assert (done.state, done.status) == ("CANCELLED", 143), done.log
    sim.wait_for(lambda: not sim.processes() and not sim.containers(), 15)
    assert [sorted(path.name for path in sim.left(name)) for name in sim.names] == [[], []]


@pytest.mark.parametrize("way", ["podman", "pyxis", "prefix"])
def test_g5_a_killed_batch_shell_leaves_nothing_running(cluster: Any, way: str) -> None:
    sim = cluster(way, kill_wait=4.0, faults={"*": {"driver": {"sleep": 60}}})
    job = sim.submit(render(sim, {"targets": {"job": ways.target(way, sim)}}) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    job.kill_batch_shell()
    job.wait(30)
    sim.wait_for(lambda: not sim.processes() and not any(one["state"] == "running" for one in sim.containers()), 15)


@pytest.mark.parametrize("way", ["none", "prefix", "pyxis", "manual"])
def test_g5_what_left_its_process_group_is_ended_too(cluster: Any, way: str) -> None:
    """As Ray's workers do, and jobs of a driver that is a shell; Slurm itself loses them where it goes by parents."""
    sim = cluster(way, nodes=1, proctrack="linuxproc")
    driver = {"command": ["bash", "-c", "set -m; sleep 600 & sleep 601 & sim-driver"]}
    statuses, log = faulty(way, sim, driver=driver)
    assert statuses == [0], log
    sim.wait_for(lambda: not sim.processes())


@each_way
def test_g6_ports_folder_and_token_are_the_jobs_own(way: str) -> None:
    run = whole(way)
    first = 10240 + 32 * 1
    for call in run.starts():
        ports = [int(word.partition("=")[2]) for word in call["argv"] if re.match(r"--(?:[a-z-]+-)?port=", word)]
        assert len(set(ports)) == len(ports) == (11 if "--head" in call["argv"] else 8)
        assert all(1024 <= port < 32768 for port in ports)
        low, high = int(run.option(call, "min-worker-port")), int(run.option(call, "max-worker-port"))
        assert [port for port in ports if low <= port <= high] == [low, high]
        others = [port for port in ports if port not in (low, high)]
        assert way in BOOT or all(first <= port < first + 32 for port in others)
    (token,) = {call["env"]["RAY_AUTH_TOKEN"] for call in [*run.starts(), run.driver()]}
    assert token == TOKEN if way in BOOT else re.fullmatch("[0-9a-f]{64}", token)
    assert token not in told(run)
    assert run.option(run.starts()[0], "temp-dir").startswith("/tmp/mngen")
    assert run.driver()["argv"][1] == "700", "mode of the job's folder"


@pytest.mark.parametrize(("way", "name"), [("dstack", "mngen"), ("manual", "mngen-0")])
def test_g6_a_second_run_on_a_machine_is_refused(cluster: Any, way: str, name: str) -> None:
    sim = cluster(way, nodes=1)
    folder = sim.tmp("node1") / name
    folder.mkdir()
    first = sim.spawn(["bash", "-c", "exec -a mngen-boot.sh sleep 30"], node="node1")

    def number() -> str:
        return str(sim.run(["pgrep", "-f", "^mngen-boot"], node="node1").stdout.strip())

    (folder / "pid").write_text(sim.wait_for(number) + "\n")
    statuses, log = faulty(way, sim)
    assert statuses == [78], log
    assert "another run is at work" in log
    assert (folder / "pid").exists()
    first.signal(9)


def told(run: guaranteed.Whole) -> str:
    """What anybody can read: rendered files, the log, command lines."""
    lines = [json.dumps(call["argv"]) for calls in run.records.values() for call in calls if "argv" in call]
    return "\n".join([*run.files.values(), run.log, *lines])


@each_way
def test_g7_a_secret_is_seen_by_the_driver_alone(way: str) -> None:
    run = whole(way)
    assert run.driver()["env"]["WANDB_API_KEY"] == SECRET
    assert SECRET not in told(run)


@each_way
def test_g7_a_missing_secret_stops_the_job_by_name(cluster: Any, way: str) -> None:
    sim = cluster(way, nodes=1)
    env = {"WANDB_API_KEY": ""} if way in ("skypilot", "dstack") else None
    statuses, log = faulty(way, sim, env=env, secrets={"WANDB_API_KEY": {}})
    assert statuses == [78]
    assert "not set in the submitting shell: WANDB_API_KEY" in log
    assert sim.records("ray") == []


@each_way
def test_g8_values_arrive_byte_for_byte(way: str) -> None:
    run = whole(way)
    assert run.driver()["argv"][2:] == list(ARGUMENTS)
    assert {call["env"]["GREETING"] for call in [*run.starts(), run.driver()]} == {GREETING}
    for rank, call in enumerate(run.starts()):
        facts = dict(zip(NODE_NAMES, call["env"]["FACTS"][1:-1].split("> <"), strict=True))
        assert all(facts.values()), "each way has a value for each placeholder of a node"
        assert (facts["node_rank"], facts["attempt"]) == (str(rank), "0")
        assert facts["uid"].isdigit()
        assert facts["gid"].isdigit()


@each_way
@pytest.mark.parametrize("text", ["preflight", "prepare", "cleanup"])
def test_g8_a_text_with_a_shell_of_its_own_sees_every_placeholder(way: str, text: str) -> None:
    run = whole(way)
    told = [line.partition(f"{text}: <")[2][:-1].split("> <") for line in run.log.splitlines() if f"{text}: <" in line]
    nodes = sorted((dict(zip(FACTS, values, strict=True)) for values in told), key=lambda facts: facts["node_rank"])
    assert [facts["node_rank"] for facts in nodes][:1] == ["0"], run.log
    for facts, call in zip(nodes, run.starts(), strict=False):  # SkyPilot shows the head's log alone
        assert all(facts.values()), facts
        assert (facts["node_ip"], facts["head_address"]) == (call["env"]["NODE_IP"], call["env"]["HEAD_ADDRESS"])
        known = dict(zip(NODE_NAMES, call["env"]["FACTS"][1:-1].split("> <"), strict=True))
        assert known.items() <= facts.items()


@each_way
def test_g9_ray_has_the_jobs_cpus_gpus_and_limits(way: str) -> None:
    run = whole(way)
    for call in run.starts():
        assert (run.option(call, "num-gpus"), run.option(call, "num-cpus")) == ("2", "4")
        # A container of its own has no other GPUs, and so no mask.
        assert call["env"].get("CUDA_VISIBLE_DEVICES", "0,1") == "0,1"
        assert not [name for name in call["env"] if name.startswith("RAY_EXPERIMENTAL_NOSET_")]
    assert run.driver()["argv"][0] == "512"


@each_way
def test_g10_a_node_that_lost_a_gpu_is_named_before_ray_starts(cluster: Any, way: str) -> None:
    sim = cluster(way, nodes=1, gpus=2, gpu_env=("UNUSED",), faults={"*": {"gpus": 1}})
    statuses, log = faulty(way, sim)
    assert statuses == [77], log
    node = "rank-0" if way in ("skypilot", "dstack") else "node1"
    assert re.search(rf"[01] of 2 GPUs here; leave out {node}\b", log)
    assert sim.records("ray_node") == []


@pytest.mark.parametrize("way", ways.SLURM[1:])
def test_g11_the_signal_reaches_the_driver_and_a_second_attempt_resumes(cluster: Any, way: str) -> None:
    sim = cluster(way, requeue_delay=0.5, faults={"*": {"driver": {"sleep": 60, "traps": ["USR1"]}}})
    fields = {
        "on_time_limit": {"signal": "USR1", "before": 60, "then": "requeue"},
        "resume": {"args": ["--resume"]},
        "slurm": {"time": 60},
        "targets": {"job": ways.target(way, sim)},
    }
    job = sim.submit(render(sim, fields) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    sim.set_faults({"*": {"driver": {"exit": 5}}})
    job.cancel("--batch", "--signal=USR1")
    sim.wait_for(lambda: job.entry()["restarts"] == 1, 20)
    done = job.wait(40)
    assert (done.status, done.job["restarts"]) == (5, 1), done.log
    assert [one["name"] for one in sim.records("driver_signal")] == ["SIGUSR1"]
    first, second = sim.records("driver")
    assert (first["argv"], second["argv"]) == ([], ["--resume"])
    assert [call["env"]["JOB_DIR"] for call in (first, second)] == ["/tmp/mngen-1-0", "/tmp/mngen-1-1"]


def test_g11_the_signal_reaches_a_driver_that_rays_job_server_started(cluster: Any) -> None:
    sim = cluster("none", faults={"*": {"driver": {"sleep": 60, "traps": ["USR1"]}}})
    fields = {
        "on_time_limit": {"signal": "USR1", "before": 60, "then": "stop"},
        "slurm": {"time": 60},
        "driver": {"command": ["sim-driver"], "submit": "ray-job"},
    }
    job = sim.submit(render(sim, fields) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    job.cancel("--batch", "--signal=USR1")
    done = job.wait(40)
    assert done.status == 0, done.log
    assert [one["name"] for one in sim.records("driver_signal")] == ["SIGUSR1"]


@each_way
def test_g12_the_files_have_no_findings_and_stay_short(way: str) -> None:
    fields = {
        "apiVersion": "mngen/v1",
        "name": "plain",
        "resources": {"nodes": 2, "gpus": 8},
        "driver": {"command": ["python3", "train.py"]},
        "targets": {"job": {**ways.target(way), "resources": {"gpu_type": "h100"}}},
    }
    loaded = load(json.dumps(fields), "manifest.yaml")
    assert loaded.manifest is not None, loaded.diagnostics
    files = renderer.render(targets.plan(loaded.manifest, partial=True), digest="").files
    assert check_tree(files, CheckOptions(lint=True, strict=True)) == []
    for file in files:
        assert not re.search(r"\beval\b|shellcheck +disable|EPOCHSECONDS|wait -p|\$\{\w+@[UuLK]\}", file.text)
        assert len([line for line in file.text.splitlines() if line.strip() and not line.strip().startswith("#")]) < 330
