"""The stand-ins for SkyPilot's and dstack's ways to run commands (read in their sources)."""

import shlex
from collections.abc import Callable

import pytest

from mngen.rehearse import launchers
from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]


def test_skypilot_runs_a_file_on_every_node_and_one_failure_kills_the_rest(cluster: Make) -> None:
    sim = cluster(gpus=2)
    run = 'echo "$SKYPILOT_NODE_RANK of $SKYPILOT_NUM_NODES"; echo "$SKYPILOT_NODE_IPS"; sleep $((SKYPILOT_NODE_RANK * 20)); exit 3'
    first, second = launchers.skypilot(sim, run)
    assert (first.status, first.stdout) == (3, "0 of 2\n10.77.0.1\n10.77.0.2\n")
    assert second.status == 137
    assert sim.processes() == []


@pytest.mark.parametrize(("net", "first"), [("dual", "10.77.0.1"), ("ipv6", "fd77::1")])
def test_skypilot_tells_addresses_of_ipv4_where_nodes_have_both(net: str, first: str, cluster: Make) -> None:
    (done,) = launchers.skypilot(cluster(nodes=1, net=net), 'echo "$SKYPILOT_NODE_IPS"')
    assert done.stdout == f"{first}\n"


@pytest.mark.parametrize(("net", "first"), [("dual", "10.77.0.1"), ("ipv6", "fd77::1"), ("two-nics", "10.77.0.1")])
def test_dstack_tells_addresses_of_ipv4_where_nodes_have_both(net: str, first: str, cluster: Make) -> None:
    show = 'echo "$DSTACK_MASTER_NODE_IP $DSTACK_NODES_IPS"'
    (done,) = launchers.dstack(cluster(nodes=1, net=net), [show])
    assert done.stdout.split() == [first, first]


def test_dstack_joins_commands_and_stops_the_others_when_the_master_is_done(cluster: Make) -> None:
    sim = cluster()
    meet = f"cd {sim.work}; : >$DSTACK_NODE_RANK; until [ -e 1 ]; do sleep 0.05; done; sleep 0.1"
    show = "echo $DSTACK_NODE_RANK $DSTACK_MASTER_NODE_IP $PWD"
    done = launchers.dstack(sim, ["cd /tmp", show, f"({meet})", "[ $DSTACK_NODE_RANK = 0 ] || sleep 20"])
    assert "0 10.77.0.1 /tmp" in done[0].stdout
    assert "1 10.77.0.1 /tmp" in done[1].stdout
    assert done[0].status == 0
    sim.wait_for(lambda: not sim.processes())


def test_dstack_waits_for_every_holder_of_the_terminal(cluster: Make) -> None:
    sim = cluster(nodes=1)
    with pytest.raises(TimeoutError):
        launchers.dstack(sim, ["(trap '' HUP; sleep 5) & disown", "true"], timeout=1)
    (done,) = launchers.dstack(
        cluster(nodes=1), ["(trap '' HUP; exec sleep 5) </dev/null >/dev/null 2>&1 & disown", "true"], timeout=3
    )
    assert done.status == 0


def test_nodes_can_be_started_by_hand(cluster: Make) -> None:
    sim = cluster()
    done = sim.run_nodes([["bash", "-c", "hostname; exit $RANK"]] * 2, [{"RANK": "0"}, {"RANK": "5"}])
    assert [(one.status, one.stdout) for one in done] == [(0, "node1\n"), (5, "node2\n")]


def test_what_is_cancelled_ends_as_it_likes_and_nothing_is_seen_to_stop(cluster: Make) -> None:
    sim = cluster(nodes=4)
    boot = "trap 'sleep 0.3; exit 143' TERM; while :; do sleep 0.1; done"
    running = launchers.start_skypilot(sim, f"bash -c {shlex.quote(boot)}")
    running.fail_fast = False  # the first end would kill the others
    sim.wait_for(lambda: sum(row["argv"] == ["sleep", "0.1"] for row in sim.processes()) == 4)
    running.stop()
    assert [one.status for one in running.wait(10)] == [143] * 4
