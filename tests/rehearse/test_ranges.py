"""`network.cidr` in a rehearsal: nodes have an address of the range that the file looks for, of either IP version."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from launch_files import GOLDEN, made, one, rendered, wrong

from mngen.errors import UsageError
from mngen.rehearse.nets import Net
from mngen.rehearse.shape import shape
from mngen.rehearse.subject import find

MINIMAL = GOLDEN / "minimal/out/slurm/job.sbatch"


def _job(folder: Path, where: str) -> Path:
    text = MINIMAL.read_text()
    assert text.count("\nreadonly NODES=") == 1
    file = folder / "job.sbatch"
    file.write_text(text.replace("\nreadonly NODES=", f"\nreadonly ADDRESS_FILTER=(to {where})\nreadonly NODES=", 1))
    return file


def _net(folder: Path, where: str, family: str | None = None, nodes: int = 2) -> Net:
    return shape(find(_job(folder, where)), nodes, family).net


@pytest.mark.parametrize(
    ("where", "own"),
    [
        ("10.0.0.0/8", True),
        ("10.77.0.0/24", True),
        ("fd00::/8", True),
        ("192.168.3.0/24", False),
        ("fd00:1::/32", False),
        ("fd00:1::4/127", False),
        ("10.77.0.9/31", False),
    ],
)
@pytest.mark.parametrize("family", [None, "ipv4", "ipv6"])
def test_each_node_has_an_address_of_its_own_there(where: str, own: bool, family: str | None, tmp_path: Path) -> None:
    net, wanted = _net(tmp_path, where, family), ip_network(where, strict=False)
    found = [
        {text for nic in range(net.nics) for text in net.addresses(number, nic) if ip_address(text) in wanted}
        for number in (1, 2)
    ]
    assert all(found)
    assert not found[0] & found[1]
    if family is None:
        assert net.nics == (1 if own else 2)
    lines = net.node(1)["ip_batch"]
    assert any(line.startswith(f"addr add {text}/") for text in found[0] for line in lines)
    assert not (net.node(1)["sysctl"] and any(":" in line.split()[2] for line in lines if line.startswith("addr add")))


def test_one_node_in_a_range_of_one_address(tmp_path: Path) -> None:
    assert _net(tmp_path, "192.168.3.7/32", nodes=1).addresses(1, 1) == ["192.168.3.7"]


@pytest.mark.parametrize("where", ["192.168.3.7/32", "fd00::1/128", "fd00::/999", "x", "'10.0.0.0/8 fd00::/8'"])
def test_a_range_without_room_is_refused(where: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        _net(tmp_path, where)
    assert refused.value.hint


@pytest.mark.parametrize("plain", [False, True], ids=["namespaces", "processes"])
def test_a_job_finds_its_addresses_of_ipv6(plain: bool, tmp_path: Path) -> None:
    text = (GOLDEN / "minimal/manifest.yaml").read_text() + 'network: {cidr: "fd00:1::/32"}\n'
    file = rendered(tmp_path, text)
    ready = made(file, plain=plain)
    assert wrong(ready, one("driver-fails"))[0] == []
