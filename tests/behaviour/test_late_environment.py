"""What `env` and `setup` may name: everything that is known before Ray starts, on every node and in every way."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
import ways
from generated import render

from mngen.manifest.job_variables import JOB_VARIABLES

FIELDS: dict[str, Any] = {
    "env": {
        "MASTER_ADDR": "${{ head_ip }}",
        "NO_PROXY_HERE": "10.0.0.0/8,${{ env.MASTER_ADDR }}",
        "API": "http://${{ head_host }}:${{ services.api.port }}/v1",
        "MINE": "${{ node_host }}",
        "NCCL_SOCKET_IFNAME": "",
    },
    "setup": "export FROM_SETUP=${{ head_address }}:${{ env.MASTER_ADDR }}\n[[ -v GLOO_SOCKET_IFNAME ]]\n",
    "services": {
        "api": {"command": ["sim-service", "--port", "${{ services.api.port }}"], "port": "auto", "on": "head"}
    },
    "ray": {
        "start_args": ['--resources={"rank ${{ node_rank }}": 1, "$HOME": 2}'],
        "worker_args": ["--labels=head=${{ head_ip }},home=${{ env.HOME }}"],
    },
}


@pytest.mark.parametrize(("way", "net"), [*((way, "ipv6") for way in ways.WAYS), ("none", "ipv4")])
def test_env_and_setup_know_the_head(way: str, net: str) -> None:
    with closing(ways.cluster(way, net=net)) as sim:
        folder = render(sim, {**FIELDS, "targets": {"job": ways.target(way, sim)}})
        status, log = ways.run(way, sim, folder)
        assert status == 0, log
        (driver,) = sim.records("driver")
        starts = [call for call in sim.records("ray") if call["argv"][0] == "start"]
        assert len(starts) == 2
        for number, call in enumerate(sorted(starts, key=lambda call: "--head" not in call["argv"]), start=1):
            env, head, own = call["env"], sim.net.addresses(1)[0], sim.net.addresses(number)[0]
            assert env["MASTER_ADDR"] == head
            assert env["NO_PROXY_HERE"] == f"10.0.0.0/8,{head}"
            assert env["MINE"] == (f"[{own}]" if ":" in own else own)
            assert env["FROM_SETUP"] == f"{env['HEAD_ADDRESS']}:{head}"
            assert env["NCCL_SOCKET_IFNAME"] == ""
            assert f'--resources={{"rank {number - 1}": 1, "$HOME": 2}}' in call["argv"]
            assert (f"--labels=head={head},home={sim.home}" in call["argv"]) == (number > 1)
            assert {name for name in JOB_VARIABLES if name not in env} <= {"RAY_ADDRESS"}
        assert {*JOB_VARIABLES} <= {*driver["env"]}
        assert driver["env"]["API"].startswith(f"http://[{head}]:" if ":" in head else f"http://{head}:")
        (port,) = {call["argv"][1] for call in sim.records("service")}
        assert driver["env"]["API"].endswith(f":{port}/v1")


@pytest.mark.parametrize("way", ["none", "prefix", "docker", "pyxis", "manual"])
def test_what_is_removed_for_the_programs_is_there_for_placeholders(way: str) -> None:
    with closing(ways.cluster(way, nodes=1)) as sim:
        fields: dict[str, Any] = {
            "driver": {"command": ["sim-driver"], "args": ["${{ env.SITE_ONE }}", "${{ env.OTHER }}"]},
            "unset_env": ["SITE_*", "OTHER"],
        }
        target = {**ways.target(way, sim), "resources": {"shm": "64M"}}
        folder = render(sim, {**fields, "targets": {"job": target}})
        status, log = ways.run(way, sim, folder, env={"SITE_ONE": "a b", "OTHER": "c"})
        assert status == 0, log
        (driver,) = sim.records("driver")
        assert driver["argv"] == ["a b", "c"]
        assert [name for name in ("SITE_ONE", "OTHER") if name in driver["env"]] == []
