"""What else is on the nodes: other jobs, other people's Ray, and networks that mislead."""

import time
from collections.abc import Callable

import pytest
from cells import NEW_RAY
from faults import HOLD, PLAIN, Run
from lab import Lab
from lab_files import LAB, Shape

Clusters = Callable[[Shape], Lab]
Record = Callable[[str, object], None]


@pytest.mark.parametrize("users", [("alice", "bob"), pytest.param(("alice", "alice"), marks=pytest.mark.only_page)])
def real_two_jobs_on_the_same_nodes(run: Run, users: tuple[str, str]) -> None:
    """Two jobs run on the same nodes at once; each sees its own Ray only, and the end of one is not the other's."""
    share = (HOLD, "resources.gpus=4", "resources.memory=8G")
    jobs = [run.submit(*share, f"driver.args=[job{place}]", user=user) for place, user in enumerate(users)]
    for job in jobs:
        job.wait_for_log("driver-report", 300)
    assert jobs[0].nodes() == jobs[1].nodes() == ["node1", "node2"]
    jobs[0].cancel()
    jobs[0].wait()
    time.sleep(5)
    assert not jobs[1].ended(), jobs[1].log()
    jobs[1].kill("node1", f"python3 {LAB}/driver.py job1", "USR1")
    outcome = run.end(jobs[1], "COMPLETED", 0, "driver")
    assert outcome.report["argv"] == ["job1"]


@pytest.mark.only_page
def real_foreign_ray(run: Run) -> None:
    """Somebody's Ray with the usual ports runs on the head's node: the job neither joins it nor ends it."""
    start = f"source {LAB}/ray/ray-{NEW_RAY}/bin/activate && ray start --head --num-cpus=1 --disable-usage-stats"
    run.lab.run("bash", "-c", start, node="node1", user="bob")
    count = ["pgrep", "--uid", "bob", "--count", "raylet|gcs_server"]
    before = run.lab.run(*count, node="node1").stdout
    outcome = run.ended(run.submit())
    outcome.expect("COMPLETED", 0, "driver")
    assert outcome.report["tasks"] == ["node1", "node2"]
    assert run.lab.run(*count, node="node1").stdout == before


@pytest.mark.only_page
def real_proxy(run: Run) -> None:
    """A proxy in the submitting shell, which nothing between the nodes may go through."""
    proxy = "http://192.0.2.1:3128"  # nobody has that address
    names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "grpc_proxy")
    run.end(run.submit("network.proxy=true", env=tuple(f"{name}={proxy}" for name in names)), "COMPLETED", 0, "driver")


@pytest.mark.only_page
def real_own_name_is_loopback(cluster: Clusters, record_property: Record) -> None:
    """As Debian's installer leaves it: each node's own name is 127.0.1.1. With IPv6 alone srun itself finds no such."""
    run = Run(cluster(Shape(net="dual", own_name="127.0.1.1")), PLAIN, record_property)
    outcome = run.end(run.submit(), "COMPLETED", 0, "driver")
    assert not [address for address in outcome.report["addresses"] if address.startswith("127.")]


@pytest.mark.only_page
@pytest.mark.parametrize("interface", ["eth0", "eth1"])
def real_two_networks(interface: str, cluster: Clusters, record_property: Record) -> None:
    """A management network that the names belong to, and one for data: Ray is on the one that is asked for."""
    run = Run(cluster(Shape(data_network=True)), PLAIN, record_property)
    sets = [f"network.interface={interface}"] if interface != "eth0" else []
    outcome = run.end(run.submit(*sets), "COMPLETED", 0, "driver")
    network = {"eth0": "10.77.0.", "eth1": "10.78.0."}[interface]
    assert outcome.report["addresses"] == [f"{network}1", f"{network}2"]
