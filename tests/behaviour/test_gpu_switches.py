"""RAY_EXPERIMENTAL_NOSET_*_VISIBLE_DEVICES: an image's are cleared, the manifest's are kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from generated import render

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
SWITCH = "RAY_EXPERIMENTAL_NOSET_{}_VISIBLE_DEVICES"


@pytest.mark.parametrize(
    ("variant", "version", "vendor"),
    [("cuda", "2.52.1", "CUDA"), ("rocm", "2.52.1", "HIP"), ("rocm", "2.52.1", "ROCR"), ("rocm", "2.44.1", "ROCR")],
)
def test_a_switch_in_env_reaches_ray_and_driver(cluster: Make, variant: str, version: str, vendor: str) -> None:
    sim = cluster(nodes=1, gpus=2, ray=version, vendor=variant)
    asked, other = SWITCH.format(vendor), SWITCH.format({"HIP": "ROCR", "ROCR": "HIP"}.get(vendor, "HIP"))
    fields = {
        "env": {asked: "1"},
        "ray": {"version": version},
        "targets": {"job": {"kind": "slurm", "variant": variant}},
    }
    done = sim.sbatch(render(sim, fields) / "job.sbatch", env={other: "image"} if variant == "rocm" else {})
    assert done.status == 0, done.log
    seen = [call["env"] for name in ("ray_worker", "driver") for call in sim.records(name)]
    assert [env.get(asked) for env in seen] == ["1", "1"]
    assert [env.get(other) for env in seen] == [None, None]
