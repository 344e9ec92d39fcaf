"""Machines of one's own: workers are started as the head says, with the address that it has chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_files import made, one, rendered

from mngen.rehearse.cluster import Cluster
from mngen.rehearse.outcome import checks
from mngen.rehearse.rehearsal import run
from mngen.rehearse.starting import Started

MANIFEST = """\
apiVersion: mngen/v1
name: by-hand
resources: {{nodes: {nodes}, gpus: 1}}
network: {{{network}}}
driver: {{command: [train]}}
targets: {{hosts: {{kind: manual{runtime}}}}}
"""
DOCKER = ", runtime: docker, image: {ref: a/b:1}, resources: {shm: 1G}"
CASES = {
    "of both kinds": ("", 2, ""),
    "on more nodes": ("", 3, ""),
    "in containers": ("", 2, DOCKER),
    "IPv6 alone": ("family: ipv6", 2, ""),
    "IPv6 in containers": ("family: ipv6", 3, DOCKER),
    "IPv4 alone": ("family: ipv4", 2, ""),
    "a range": ("cidr: 192.168.3.0/24", 2, ""),
    "an interface": ("interface: eth9", 2, ""),
    "names with a suffix": ("host_suffix: -ib", 2, ""),
}
"""How the head chooses its address: the manifest's `network`, how many nodes there are, and where the work runs."""


@pytest.mark.parametrize("case", CASES)
def test_workers_get_the_address_that_the_head_prints(case: str, tmp_path: Path) -> None:
    network, nodes, runtime = CASES[case]
    ready = made(rendered(tmp_path, MANIFEST.format(nodes=nodes, network=network, runtime=runtime)))
    seen: dict[str, list[str]] = {}

    def watch(sim: Cluster, _started: Started) -> None:
        for row in sim.processes():
            if row["argv"][:1] == ["bash"] and row["argv"][1:2] and row["argv"][1].endswith("/worker.sh"):
                seen.setdefault(row["node"], row["argv"][2:])

    plain = one("plain")
    outcome = run(ready, plain, 120, watch)
    assert [check for check in checks(plain, outcome, ready.known) if check.wrong] == [], outcome.log
    (told,) = [line for line in outcome.log.splitlines() if "/worker.sh " in line]
    assert seen == {f"node{rank + 1}": [told.split()[-2], str(rank)] for rank in range(1, nodes)}
