"""A value of the node's that ``env`` changes is the first one wherever it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from generated import render

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]

FIELDS: dict[str, Any] = {
    "env": {"SEARCH": "/opt/l:${{ env.SEARCH }}", "COPY": "${{ env.SEARCH }}"},
    "driver": {"command": ["sim-driver", "${{ env.SEARCH }}", "${{ env.COPY }}"]},
    "prepare": [{"run": 'echo "step ${{ env.SEARCH }} ${SEARCH}"', "on": "head", "when": "before-ray"}],
}


@pytest.mark.parametrize("runtime", ["none", "apptainer", "docker", "pyxis"])
def test_slurm(cluster: Make, runtime: str) -> None:
    sim = cluster(nodes=2, ray_on_host=runtime == "none", pyxis=runtime == "pyxis")
    image = {} if runtime == "none" else {"image": {"ref": "a/b:1"}}
    folder = render(sim, {**FIELDS, "targets": {"job": {"kind": "slurm", "runtime": runtime, **image}}})
    done = sim.sbatch(folder / "job.sbatch", env={"SEARCH": "/site"})
    assert done.status == 0, done.log
    (record,) = sim.records("driver")
    assert record["argv"] == ["/opt/l:/site"] * 2
    assert (record["env"]["SEARCH"], record["env"]["COPY"]) == ("/opt/l:/site", "/opt/l:/site")
    assert "step /opt/l:/site /opt/l:/site" in done.log


def test_a_machine_by_hand(cluster: Make) -> None:
    sim = cluster(nodes=1)
    folder = render(sim, {**FIELDS, "targets": {"job": {"kind": "manual"}}})
    done = sim.run(["bash", str(folder / "head.sh")], node="node1", env={"SEARCH": "/site"}, timeout=30)
    assert done.status == 0, done.stdout + done.stderr
    (record,) = sim.records("driver")
    assert record["argv"] == ["/opt/l:/site"] * 2
