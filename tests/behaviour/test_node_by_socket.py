"""A node whose image may lack ``ip`` finds its own address on the way to the head, and the interface that holds it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mngen.rehearse.cluster import Cluster
from mngen.render.compiled import TEMPLATES

Make = Callable[..., Cluster]

CHOOSE = 'fail() { echo "$*" && exit "$1"; }\nRAY_PYTHON=(python3)\nset -Eeuo pipefail\n'
CHOOSE += (TEMPLATES / "shell/node_by_socket.sh").read_text()


def chosen(sim: Cluster, head: str, before: str = "") -> str:
    script = f'{CHOOSE}HEAD_IP={head}\n{before}\nchoose_node_address\necho "${{NODE_IP}} ${{NODE_INTERFACE}}"'
    return sim.run(["bash", "-c", script], node="node1").stdout.strip()


def test_a_wrapper_around_python_is_asked_only_where_there_is_no_other(cluster: Make) -> None:
    """``uv run`` needs a folder to write to, which a read-only container has only later."""
    sim = cluster()
    wrapper = "RAY_PYTHON=(wrapped run python3)\nwrapped() { %s; }"
    hidden = "command() { [[ $2 != python3 ]]; }\n"
    assert chosen(sim, "10.77.0.2", wrapper % "false") == "10.77.0.1 eth0"
    assert chosen(sim, "10.77.0.2", hidden + wrapper % '"${@:2}"') == "10.77.0.1 eth0"
    assert "wrapped run python3 cannot run before setup" in chosen(sim, "10.77.0.2", hidden + wrapper % "false")


@pytest.mark.parametrize("net", ["ipv4", "ipv6", "dual"])
def test_the_interface_that_holds_the_address(cluster: Make, net: str) -> None:
    sim = cluster(net=net)
    if net != "ipv6":
        assert chosen(sim, "10.77.0.2") == "10.77.0.1 eth0"
    if net != "ipv4":
        assert chosen(sim, "fd77::2") == "fd77::1 eth0"


@pytest.mark.parametrize("label", [[], ["label", "eth0:storage"]], ids=["plain", "labelled"])
def test_a_second_address_of_an_interface_has_its_name_too(cluster: Make, label: list[str]) -> None:
    sim = cluster()
    for number in (1, 2):
        added = ["ip", "address", "add", f"10.99.0.{number}/24", "dev", "eth0", *label]
        assert sim.run(added, node=f"node{number}").status == 0
    assert chosen(sim, "10.99.0.2") == "10.99.0.1 eth0"
