"""Bug cases about addresses (B01 to B13): which one a node has, and in which form a program gets it."""

import os
import re
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from generated import render
from plain import PlainJob, errors, functions, job_file, option, ray_starts

from mngen.rehearse.cluster import Cluster
from mngen.rehearse.nets import Net

Make = Callable[..., Cluster]


class ListedNet(Net, frozen=True):
    """Both families, with these addresses in front of, or instead of, node 2's own in every hosts file."""

    peer: tuple[str, ...] = ()

    def hosts(self, names: list[str], own: int) -> str:
        lines = [f"{address} {names[1]}" for address in self.peer]
        return "\n".join(lines) + "\n" + super().hosts(names, own)

    def node(self, number: int) -> dict[str, Any]:
        wired = super().node(number)
        # The kernel's own link-local address cannot be used in its first second.
        wired["ip_batch"].append(f"addr add fe80::{number}/64 dev eth0 nodad")
        return wired


def chosen_address(sim: Cluster, text: str, node: str = "node1") -> str:
    """What the batch file's own functions choose as the head's address on a node."""
    (line,) = re.findall(r"^  (choose_head_address|HEAD_IP=.*\\\n.*)$", text, re.MULTILINE)
    body = f'NODE_NAME=batch NODE_NAMES=({" ".join(sim.names)})\n{line}\nprintf "%s" "${{HEAD_IP}}"\n'
    done = sim.run(["bash", "-c", functions(text) + body], node=node)
    assert done.status == 0, done.stderr
    return done.stdout


def test_b01_the_address_is_picked_by_family_not_by_length_or_place(cluster: Make) -> None:
    text = job_file()
    for peer in (("fe80::1",), ("2001:db8::a", "10.77.0.2"), ("10.77.0.2", "fe80::1", "2001:db8::a")):
        sim = cluster(net=ListedNet("dual", peer=peer))
        assert chosen_address(sim, text) == "10.77.0.1", peer


def test_b01_a_link_local_address_is_never_the_heads(cluster: Make) -> None:
    text = job_file(network={"family": "ipv6"})
    assert chosen_address(cluster(net=ListedNet("ipv6", peer=("fe80::2", "::1"))), text) == "fd77::1"
    with pytest.raises(AssertionError, match="no address on the way to node2"):
        chosen_address(cluster(net=LinkLocalNet("ipv6", peer=("fe80::2",))), text)


class LinkLocalNet(ListedNet):
    """A network whose hosts files know the other node by its link-local address alone."""

    def hosts(self, names: list[str], own: int) -> str:
        return "::1 localhost\n" + "".join(f"{address} {names[1]}\n" for address in self.peer)


@pytest.mark.parametrize(
    ("network", "said"),
    [
        ({"cidr": "192.0.2.0/24"}, "no usable address for 'to 192.0.2.0/24'"),
        ({"interface": "ib7"}, "no usable address for 'dev ib7'"),
        ({"host_suffix": "-none"}, "node1-none stands for no usable address"),
        ({"family": "ipv6"}, "no address on the way to node2"),
    ],
)
def test_b04_without_an_address_the_job_stops_before_ray(cluster: Make, network: dict[str, str], said: str) -> None:
    sim = cluster()
    done = sim.sbatch(render(sim, {"network": network}) / "job.sbatch")
    assert done.status == 75
    assert said in done.log
    assert sim.records("ray") == sim.records("srun") == []


def test_b04_a_worker_without_an_address_stops_the_job_by_name(cluster: Make) -> None:
    sim = cluster(net=OneSidedNet(nics=2))
    done = sim.sbatch(render(sim, {"network": {"cidr": "10.78.0.0/16"}}) / "job.sbatch")
    assert done.status == 75
    assert "node2: ERROR: no usable IPv4 address for 'to 10.78.0.0/16'" in done.log
    assert all(option(call, "node-ip-address") for call in ray_starts(sim))


class OneSidedNet(Net):
    """Two networks, of which node 2 has only the first."""

    def addresses(self, number: int, nic: int = 0) -> list[str]:
        return [] if (number, nic) == (2, 1) else super().addresses(number, nic)


class SuffixNet(Net):
    """Two networks; the names of the second have the suffix behind their first label, as DNS needs it."""

    def hosts(self, names: list[str], own: int) -> str:
        fast = [f"{self.addresses(n, 1)[0]} {name.replace('.', '-ib0.')}" for n, name in enumerate(names, start=1)]
        return "\n".join([*fast, super().hosts(names, own)])


@pytest.mark.parametrize(("kind", "nodes"), [("slurm", 2), ("slurm", 1), ("manual", 2)])
def test_b04_a_suffix_names_the_head_on_the_fast_network(cluster: Make, kind: str, nodes: int) -> None:
    sim = cluster(nodes=nodes, net=SuffixNet(nics=2), names=("n1.site", "n2.site")[:nodes])
    folder = render(sim, {"network": {"host_suffix": "-ib0"}, "targets": {"job": {"kind": kind}}})
    if kind == "slurm":
        done = sim.sbatch(folder / "job.sbatch")
        assert done.status == 0, done.log
    else:
        words = ["bash", str(folder / "worker.sh"), "10.78.0.1", "1"]
        head, _ = sim.run_nodes([["bash", str(folder / "head.sh")], words], [{}, {}])
        assert head.status == 0, head.stdout + head.stderr
    expected = ["10.78.0.1", "10.78.0.2"][:nodes]
    assert [option(call, "node-ip-address") for call in ray_starts(sim)] == expected


@pytest.mark.parametrize("net", ["ipv4", "ipv6"])
def test_b04_a_worker_that_is_told_the_heads_name_joins_its_address(cluster: Make, net: str) -> None:
    sim = cluster(net=net)
    folder = render(sim, {"targets": {"job": {"kind": "manual"}}})
    scripts = [["bash", str(folder / "head.sh")], ["bash", str(folder / "worker.sh"), "node1", "1"]]
    head, worker = sim.run_nodes(scripts, [{}, {}])
    assert head.status == 0, head.stdout + head.stderr + worker.stderr
    address, (start, joined) = sim.net.addresses(1)[0], ray_starts(sim)
    assert option(start, "node-ip-address") == joined["env"]["HEAD_IP"] == address
    assert option(joined, "address") == joined["env"]["HEAD_ADDRESS"]


def test_b06_bare_and_joined_forms_of_an_ipv6_address(cluster: Make) -> None:
    sim = cluster(net="ipv6")
    urls = ["tcp://${{ head_address }}", "http://${{ head_host }}:8000/", "http://${{ node_host }}:8000/"]
    command = ["env", "MASTER_ADDR=${{ head_ip }}", "sim-driver", *urls]
    done = sim.sbatch(render(sim, {"driver": {"command": command}}) / "job.sbatch")
    assert done.status == 0, done.log
    head, worker = ray_starts(sim)
    (driver,) = sim.records("driver")
    port = option(head, "port")
    assert option(worker, "address") == driver["env"]["HEAD_ADDRESS"] == f"[fd77::1]:{port}"
    own = ["http://[fd77::1]:8000/"] * 2
    assert (driver["env"]["MASTER_ADDR"], driver["argv"]) == ("fd77::1", [f"tcp://[fd77::1]:{port}", *own])
    for call, own in ((head, "fd77::1"), (worker, "fd77::2"), (driver, "fd77::1")):
        assert (call["env"]["HEAD_IP"], call["env"]["NODE_IP"], call["env"]["VLLM_HOST_IP"]) == ("fd77::1", own, own)
        assert not [text for text in (*call["argv"], *call["env"].values()) if "[[fd77" in text or "//fd77" in text]


@pytest.mark.parametrize(("address", "host"), [("10.0.0.1", "10.0.0.1"), ("fd00::1", "[fd00::1]")])
def test_b06_a_host_before_a_port_has_brackets_where_it_needs_them(address: str, host: str) -> None:
    """In whatever field that may name it; a job that does not has no line about it."""
    named = "${{ head_host }} ${{ node_host }}"
    for fields in ({"driver": {"command": [named]}}, {"prepare": [{"run": f"echo {named}"}]}, {"preflight": named}):
        lines = re.findall(r"^  (.*\bHEAD_HOST=.*|.*\bNODE_HOST=.*)$", job_file(**fields), re.MULTILINE)
        given = {"NODE_IP": address, "HEAD_ADDRESS": f"{host}:6379", "PATH": os.environ["PATH"]}
        script = "\n".join([*lines, 'printf "%s" "${HEAD_HOST} ${NODE_HOST}"'])
        done = subprocess.run(["bash", "-euc", script], env=given, capture_output=True, text=True, check=True)
        assert done.stdout == f"{host} {host}"
    assert not {"HEAD_HOST", "NODE_HOST"} & set(re.findall(r"\w+", job_file()))


def test_b09_gloo_wants_an_interface_and_nccl_may_have_a_list() -> None:
    (error,) = errors(env={"GLOO_SOCKET_IFNAME": "^lo,docker"})
    assert error.code == "MN263"
    assert "Gloo" in error.message
    assert "Unable to find address" in error.message
    assert errors(env={"NCCL_SOCKET_IFNAME": "^lo,docker"}) == []


def test_b09_the_same_list_reaches_nccl_unchanged(cluster: Make) -> None:
    sim = cluster(nodes=1)
    done = sim.sbatch(render(sim, {"env": {"NCCL_SOCKET_IFNAME": "^lo,docker"}}) / "job.sbatch")
    assert done.status == 0, done.log
    (driver,) = sim.records("driver")
    assert driver["env"]["NCCL_SOCKET_IFNAME"] == "^lo,docker"
    assert driver["env"]["GLOO_SOCKET_IFNAME"] == "eth0"


def test_b11_the_resolver_lists_ipv6_first_and_the_head_is_on_ipv4(plain_job: PlainJob) -> None:
    sim = plain_job.sim
    first = sim.run(["getent", "ahosts", "gpu-b"], node="gpu-a").stdout.split()[0]
    assert ":" in first, "the case needs a resolver that prefers IPv6"
    assert [option(call, "node-ip-address") for call in plain_job.starts()] == ["10.77.0.1", "10.77.0.2"]


def test_b12_each_node_has_its_own_address(plain_job: PlainJob) -> None:
    head, worker = plain_job.starts()
    for call, own in ((head, "10.77.0.1"), (worker, "10.77.0.2")):
        assert call["env"]["VLLM_HOST_IP"] == call["env"]["NODE_IP"] == option(call, "node-ip-address") == own
        # To NCCL a bare name is a prefix: eth1 would be eth10 too, bond0 each of its VLANs.
        assert (call["env"]["GLOO_SOCKET_IFNAME"], call["env"]["NCCL_SOCKET_IFNAME"]) == ("eth0", "=eth0")


def test_b13_calls_between_nodes_bypass_the_proxy(cluster: Make) -> None:
    sim = cluster()
    (sim.work / "x.site.org").touch()  # what a glob would turn the pattern into
    kept = "localhost,127.0.0.0/8,*.site.org"
    proxy = {"http_proxy": "http://192.0.2.1:3128", "no_proxy": kept, "NO_PROXY": kept}
    fields = {"env": proxy, "driver": {"command": ["sim-driver"], "submit": "ray-job"}}
    done = sim.sbatch(render(sim, fields) / "job.sbatch")
    assert done.status == 0, done.log
    for call, own in zip(ray_starts(sim), ("10.77.0.1", "10.77.0.2"), strict=True):
        for name in ("no_proxy", "NO_PROXY"):
            value = call["env"][name]
            assert value.startswith(kept + ",")
            assert {"10.77.0.1", own, "node1", "node2", "127.0.0.1"} <= set(value.split(","))


@pytest.mark.parametrize(
    "fields", [{"network": {"proxy": True}}, {"env": {"https_proxy": "http://192.0.2.1"}}, {"env": {"ALL_PROXY": "x"}}]
)
def test_b13_a_proxy_that_the_site_or_the_manifest_sets_is_bypassed(fields: dict[str, Any]) -> None:
    assert "  bypass_proxy\n" in job_file(**fields)
    assert "bypass_proxy" not in job_file()


def test_b13_a_service_is_called_past_a_proxy_that_only_the_site_knows(cluster: Make) -> None:
    """A profile or a module sets it, without a word in the manifest; of a node's own two names both may be set."""
    sim = cluster()
    service = {
        "command": ["sim-service", "--port", "${{ services.retriever.port }}"],
        "on": "every-node",
        "port": "auto",
    }
    site = {"http_proxy": "http://192.0.2.1:3128", "NO_PROXY": "*.site.org"}
    folder = render(sim, {"services": {"retriever": service}, "driver": {"command": ["sim-driver"]}})
    done = sim.sbatch(folder / "job.sbatch", env=site)
    assert done.status == 0, done.log
    for call, own in zip(ray_starts(sim), ("10.77.0.1", "10.77.0.2"), strict=True):
        assert {"10.77.0.1", own, "127.0.0.1", "::1", "localhost", "*.site.org"} <= set(
            call["env"]["no_proxy"].split(",")
        )


def test_b13_nothing_is_said_of_a_proxy_where_nothing_listens() -> None:
    silent = {"command": ["watch"], "on": "head"}
    assert "no_proxy" not in job_file(services={"watcher": silent})
    assert job_file(services={"a": {**silent, "port": 9000}}, network={"proxy": True}).count("export no_proxy") == 1
