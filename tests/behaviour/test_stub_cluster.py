"""The stand-ins themselves: what they do was seen on Slurm 22.05.8 and Ray 2.52.1, or read in their manuals."""

from collections.abc import Callable

import pytest

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]

HEADER = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=1 --cpus-per-task=2 --output=out-%j.log\n"
SRUN = "srun --overlap --nodes=2 --ntasks=2 --ntasks-per-node=1 --cpus-per-task=2 --kill-on-bad-exit=1 "
TINY_JOB = (
    HEADER
    + """
mapfile -t names < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
read -r head _ < <(getent ahosts "${names[0]}")
case $head in *:*) address="[$head]:6379" ;; *) address=$head:6379 ;; esac
export head address driver_rc=/var/tmp/unused
cat >driver.py <<'PY'
import os, sys, time
import ray
ray.init(address=os.environ["address"])
deadline = time.monotonic() + 10
while sum(node["Alive"] for node in ray.nodes()) < 2:
    assert time.monotonic() < deadline
    time.sleep(0.05)
print("nodes", sorted(node["NodeManagerHostname"] for node in ray.nodes()), "GPUs", ray.cluster_resources().get("GPU"))
sys.exit(7)
PY
"""
    + SRUN
    + """bash -c '
trap "exit 0" TERM
flags="--node-ip-address=$(getent ahosts $SLURMD_NODENAME | { read -r a _; echo $a; }) --temp-dir=/tmp/r --num-gpus=2 --block"
if [ $SLURM_PROCID = 0 ]; then
    ray start --head --port=6379 $flags >/tmp/ray.log 2>&1 &
    until (exec 3<>/dev/tcp/$head/6379) 2>/dev/null; do sleep 0.05; done
    python3 driver.py
    exit $?
fi
ray start --address=$address ${flags/--temp-dir=\\/tmp\\/r/} >/tmp/ray.log 2>&1 & wait $!'
"""
)


@pytest.mark.parametrize("net", ["ipv4", "ipv6", "dual", "dual-ipv4-first"])
def test_a_tiny_job_forms_a_cluster_and_its_status_is_the_drivers(cluster: Make, net: str) -> None:
    sim = cluster(net=net, gpus=2)
    done = sim.sbatch(TINY_JOB)
    assert "nodes ['node1', 'node2'] GPUs 4.0" in done.log, sim.story()
    assert (done.status, done.state, done.leftovers) == (7, "FAILED", [])
    assert len(sim.records("ray_node")) == 2


def test_every_user_of_a_node_can_make_a_terminal(cluster: Make) -> None:
    sim = cluster(nodes=1)
    done = sim.run(["stat", "-L", "-c", "%a", "/dev/ptmx"], node="node1")
    assert done.stdout.split() == ["666"]
