"""The stand-in for Ray: what it refuses and how its processes end, as Ray 2.52.1 does unless said otherwise."""

import signal
from collections.abc import Callable

import pytest

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]

HEAD = ["ray", "start", "--head", "--node-ip-address=10.77.0.1", "--port=7000", "--temp-dir=/tmp/r", "--block"]
WORKER = ["ray", "start", "--address=10.77.0.1:7000", "--block"]
COUNT = [
    "python3",
    "-c",
    "import ray; ray.init(); print(sum(n['Alive'] for n in ray.nodes()), ray.cluster_resources().get('GPU'))",
]
ADDRESS = {"RAY_ADDRESS": "10.77.0.1:7000"}


def started(sim: Cluster, count: int) -> None:
    def alive() -> bool:
        return sim.run(COUNT, node="node1", env=ADDRESS).stdout.startswith(f"{count} ")

    sim.wait_for(alive, what=f"{count} nodes in Ray")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--head", "--bogus"], "unrecognized option"),
        ([], "Either"),
        (["--head", "--node-ip-address=10.77.0.2"], "not an address of this node"),
        (["--head", "--node-ip-address=[fd77::1]"], "brackets"),
        (["--address=fd77::1:6379"], "Invalid address format"),
        (["--head", "--port=12000"], "used by other components"),
        (["--head", "--port=8265"], "used by other components"),
        (["--head", "--port=80"], "not in range"),
        (["--head", "--temp-dir=/tmp/" + "a" * 60], "AF_UNIX path length"),
        (["--head", "--object-store-memory=99999999999"], "exceeds /dev/shm"),
        (["--head", "--num-gpus=x"], "not a valid integer"),
        (["--address=10.77.0.1:7000", "--port=7000"], "only be specified when starting head"),
    ],
)
def test_ray_start_refuses(cluster: Make, words: list[str], why: str) -> None:
    sim = cluster(nodes=1, net="dual")
    done = sim.run(["ray", "start", *words], node="node1")
    assert done.status != 0
    assert why in done.stderr
    assert sim.processes() == []


def test_ray_without_grpc_refuses_its_clients_port(cluster: Make) -> None:
    sim = cluster(nodes=1, ray_client=False)
    assert sim.run(["python3", "-c", "import grpc"], node="node1").status == 1
    refused = sim.run(["ray", "start", "--head", "--ray-client-server-port=7002"], node="node1")
    assert (refused.status, "ray[client]" in refused.stderr) == (1, True)


def test_ray_before_2_49_refuses_ipv6_and_before_2_52_the_dashboard_on_it(cluster: Make) -> None:
    words = ["ray", "start", "--head", "--node-ip-address=fd77::1", "--dashboard-host=::"]
    assert cluster(nodes=1, net="ipv6", ray="2.48.0").run(words, node="node1").status == 1
    middle = cluster(nodes=1, net="ipv6", ray="2.51.0").run(words, node="node1")
    assert (middle.status, "Address family" in middle.stderr) == (0, True)


def test_a_worker_waits_for_a_late_head_and_ports_are_real(cluster: Make) -> None:
    sim = cluster(gpus=1)
    worker = sim.spawn(WORKER, node="node2")
    head = sim.spawn(HEAD, node="node1")
    started(sim, 2)
    assert sim.run(COUNT, node="node2", env=ADDRESS).stdout == "2 2.0\n"
    second = sim.run([*HEAD[:-1], "--dashboard-port=7001"], node="node1")
    assert (second.status, "Failed to bind" in second.stderr) == (1, True)
    head.signal(signal.SIGTERM)
    worker.signal(signal.SIGTERM)
    assert (head.wait().status, worker.wait().status) == (1, 1)
    sim.wait_for(lambda: not sim.processes())


def test_a_killed_ray_start_takes_its_processes_along(cluster: Make) -> None:
    sim = cluster(nodes=1)
    head = sim.spawn(HEAD, node="node1")
    started(sim, 1)
    head.signal(signal.SIGKILL)
    sim.wait_for(lambda: not sim.processes())


def test_a_dead_raylet_ends_ray_start_and_its_node_is_not_alive(cluster: Make) -> None:
    sim = cluster()
    head, worker = sim.spawn(HEAD, node="node1"), sim.spawn(WORKER, node="node2")
    started(sim, 2)
    sim.kill_process("node2", "raylet")
    done = worker.wait()
    assert (done.status, "raylet [exit code=-9]" in done.stderr) == (1, True)
    started(sim, 1)
    assert head.poll() is None


RESETS = """
import json, socket, struct
with socket.create_server(("10.77.0.1", 7000)) as server:
    op = ""
    while op != "join":
        sock, _ = server.accept()
        with sock, sock.makefile() as lines:
            op = json.loads(lines.readline())["op"]
            sock.sendall(json.dumps({"temp_dir": "/tmp/r", "session": "s"}).encode() + b"\\n")
            # What the head had not read when it ended is answered with a reset, not with an end.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0) if op == "join" else bytes(8))
"""


def test_a_head_that_ends_with_words_unread_is_lost_like_any_other(cluster: Make) -> None:
    sim = cluster(reconnect_s=0.5)
    head = sim.spawn(["python3", "-c", RESETS], node="node1")
    done = sim.run(WORKER, node="node2")
    head.wait(10)
    assert done.status == 1
    assert "Failed to connect to GCS within the reconnect timeout" in done.stdout + done.stderr, done


def test_a_silent_node_is_dead_after_a_while(cluster: Make) -> None:
    sim = cluster(health_s=0.6)
    sim.spawn(HEAD, node="node1")
    worker = sim.spawn(WORKER, node="node2")
    started(sim, 2)
    sim.cut("node2")
    started(sim, 1)
    assert worker.poll() is None


def test_tokens_must_be_equal(cluster: Make) -> None:
    sim = cluster()
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "secret"}
    assert "Failed to load authentication token" in sim.run(HEAD, node="node1", env={"RAY_AUTH_MODE": "token"}).stderr
    sim.spawn(HEAD, node="node1", env=token)
    sim.wait_record("ray_node")
    refused = sim.run(WORKER, node="node2", env={**token, "RAY_AUTH_TOKEN": "other"})
    assert (refused.status, "InvalidAuthToken" in refused.stderr) == (1, True)
    assert sim.run(COUNT, node="node2", env=ADDRESS).status == 1
    assert sim.run(COUNT, node="node2", env={**ADDRESS, **token}).stdout == "1 None\n"


def test_versions_must_be_equal(cluster: Make) -> None:
    sim = cluster(node={"node2": {"ray_version": "2.51.0"}})
    sim.spawn(HEAD, node="node1")
    sim.wait_record("ray_node")
    assert "Version mismatch" in sim.run(WORKER, node="node2").stderr


def test_amd_masks_by_version(cluster: Make) -> None:
    sim = cluster(nodes=1, vendor="rocm", gpus=2)
    words = [*HEAD[:-1], "--num-gpus=2"]
    assert "HIP_VISIBLE_DEVICES" in sim.run(words, node="node1", env={"ROCR_VISIBLE_DEVICES": "0,1"}).stderr
    assert sim.run(words, node="node1", env={"HIP_VISIBLE_DEVICES": "0"}).status == 1
    assert sim.run(words, node="node1", env={"HIP_VISIBLE_DEVICES": "0,1"}).status == 0


def test_ray_jobs(cluster: Make) -> None:
    sim = cluster(nodes=1)
    sim.spawn(HEAD, node="node1")
    sim.wait_record("ray_node")
    submit = ["ray", "job", "submit", "--address", "http://127.0.0.1:8265", "--submission-id"]
    failed = sim.run([*submit, "one", "--", "bash", "-c", "echo at $RAY_ADDRESS; exit 7"], node="node1")
    assert (failed.status, "at 10.77.0.1:7000" in failed.stdout, "exit code 7" in failed.stdout) == (1, True, True)
    assert "already exists" in sim.run([*submit, "one", "--", "true"], node="node1").stderr
    assert sim.run([*submit, "two", "--no-wait", "--", "sleep", "30"], node="node1").status == 0
    status = ["ray", "job", "status", "two", "--address", "http://127.0.0.1:8265"]
    assert "RUNNING" in sim.run(status, node="node1").stdout
    sim.run(["ray", "job", "stop", "two", "--address", "http://127.0.0.1:8265"], node="node1")
    assert "STOPPED" in sim.run(status, node="node1").stdout


ASK = [["ray", "status"], ["ray", "health-check"], ["ray", "job", "list"]]


def test_without_an_address_it_is_the_cluster_of_this_node(cluster: Make) -> None:
    sim = cluster()
    for words in ASK:
        said = sim.run(words, node="node1")
        assert (said.status, "Could not find any running Ray instance" in said.stderr) == (1, True), words
    sim.spawn(["ray", "start", "--head", "--node-ip-address=10.77.0.1", "--block"], node="node1")
    sim.wait_record("ray_worker")
    sim.spawn(["ray", "start", "--address=10.77.0.1:6379", "--block"], node="node2")
    sim.wait_record("ray_worker", 2)
    for name in sim.names:
        for words in (["ray", "status"], ["ray", "health-check"]):
            assert sim.run(words, node=name).status == 0, (name, words)
            assert sim.run([*words, "--address=auto"], node=name).status == 0, (name, words)
        for call in ("", "'auto'"):
            code = f"import ray; ray.init({call}); print(len(ray.nodes()))"
            assert sim.run(["python3", "-c", code], node=name).stdout == "2\n", (name, call)
    assert sim.run(["ray", "job", "list"], node="node1").status == 0
    assert sim.run(["ray", "status"], node="node1", env={"RAY_ADDRESS": "10.77.0.1:9"}).status == 1


def test_a_cluster_in_a_folder_of_its_own_is_found_by_its_process(cluster: Make) -> None:
    sim = cluster(nodes=1)
    sim.spawn(HEAD, node="node1")
    sim.wait_record("ray_worker")
    assert sim.run(["ray", "status"], node="node1").status == 0
    other = ["ray", "start", "--head", "--port=7100", "--temp-dir=/tmp/s", "--include-dashboard=false", "--block"]
    other += ["--ray-client-server-port=9101", "--dashboard-agent-listen-port=52366"]
    sim.spawn(other, node="node1")
    sim.wait_record("ray_worker", 2)
    said = sim.run(["ray", "status"], node="node1")
    assert (said.status, "Found multiple active Ray instances" in said.stderr) == (1, True)
    assert sim.run(["ray", "status", "--address=10.77.0.1:7000"], node="node1").status == 0


def test_a_variable_answers_auto_where_no_cluster_was_noted(cluster: Make) -> None:
    sim = cluster()
    sim.spawn(HEAD, node="node1")
    sim.wait_record("ray_worker")
    code = "import ray; ray.init(address={!r}); print(len(ray.nodes()))"
    for given, env, said in (
        ("auto", ADDRESS, "1\n"),
        (None, ADDRESS, "1\n"),
        ("auto", {"RAY_ADDRESS": "auto"}, ""),
        ("auto", {}, ""),
    ):
        done = sim.run(["python3", "-c", code.format(given)], node="node2", env=env)
        assert done.stdout == said, (given, env, done)
        assert said or "Could not find any running Ray instance" in done.stderr, (given, env)


def test_a_variable_wins_over_the_address_of_a_jobs_server(cluster: Make) -> None:
    sim = cluster(nodes=1)
    sim.spawn(HEAD, node="node1")
    sim.wait_record("ray_worker")
    words = ["ray", "job", "list", "--address=http://127.0.0.1:8265"]
    assert sim.run(words, node="node1", env=ADDRESS).status == 0
    assert sim.run(words, node="node1", env={"RAY_ADDRESS": "10.77.0.1:9"}).status == 1
    assert sim.run(words, node="node1", env={"RAY_API_SERVER_ADDRESS": "http://127.0.0.1:9"}).status == 1
