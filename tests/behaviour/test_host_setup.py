"""What host_setup does in a generated job: where it runs, what comes of what it sets, and of its failure."""

import os
from collections.abc import Callable
from itertools import product

import pytest
from generated import render

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]


@pytest.mark.parametrize(("kind", "runtime"), [*product(("slurm", "manual"), ("none", "docker"))])
def test_host_setup_knows_the_user_and_may_go_elsewhere(cluster: Make, kind: str, runtime: str) -> None:
    """Its cd lasts, but what the job writes and mounts is where the job was started."""
    sim = cluster(nodes=1)
    setup = 'mkdir "$HOME/of-${{ uid }}"\ncd "$HOME/of-${{ uid }}"\n'
    (sim.work / "code").mkdir()
    contained = {"image": {"ref": "example/image:1"}, "resources": {"shm": "64M"}} if runtime == "docker" else {}
    fields = {"host_setup": setup, "logs": {"driver": "train.log"}, "workdir": "/code" if contained else str(sim.work)}
    code = {"code": {"path": "code", "to": "/code"}} if contained else {}
    target = {"kind": kind, "runtime": runtime, **contained, **code}
    folder = render(sim, {"resources": {"nodes": 1}, **fields, "targets": {"job": target}})
    if kind == "manual":
        done = sim.run(["bash", str(folder / "head.sh")], node="node1", timeout=40)
        assert done.status == 0, done.stdout + done.stderr
    else:
        finished = sim.sbatch(folder / "job.sbatch", timeout=40)
        assert finished.status == 0, finished.log
    assert (sim.home / f"of-{os.getuid()}").is_dir()
    assert list((sim.work / "logs").glob("train*.log"))
    assert not (sim.home / f"of-{os.getuid()}" / "logs").exists()


def test_pyxis_runs_what_is_for_the_host_in_the_batch_shell(cluster: Make) -> None:
    """srun enters the image at once, so that a node has no part outside of it."""
    sim = cluster(ray_on_host=False, pyxis=True)
    setup = 'mkdir "$HOME/made"\necho "prepared on $(hostname) as ${{ node_rank }}" >&2\nexport FROM_HOST=1\n'
    mounts = [{"source": "${{ env.HOME }}/made", "target": "/made"}]
    target = {"kind": "slurm", "runtime": "pyxis", "image": {"ref": "example/image:1"}, "mounts": mounts}
    done = sim.sbatch(render(sim, {"host_setup": setup, "targets": {"job": target}}) / "job.sbatch", timeout=40)
    assert done.status == 0, done.log
    assert done.log.count("prepared on node1 as 0") == done.log.count("prepared on") == 1
    (driver,) = sim.records("driver")
    assert driver["env"]["FROM_HOST"] == "1"


@pytest.mark.parametrize(
    ("kind", "runtime"),
    [*product(("slurm", "manual"), ("none", "apptainer", "docker")), ("slurm", "pyxis")],
)
@pytest.mark.parametrize(
    ("setup", "status"),
    [
        ('export BASE="$PWD" WORD=yes\n', 0),
        ('export BASE="${{ env.HOME }}/.." WORD=yes\n', 0),
        ('export BASE="$PWD"\n', 78),
        ("[[ -z ${{ env.WORD }} ]] && export BASE=$PWD WORD=yes\n", 78),
    ],
)
def test_host_setup_sets_what_the_manifest_takes_from_the_node(
    cluster: Make, kind: str, runtime: str, setup: str, status: int
) -> None:
    """Variables of modules: there when mounts, the environment and arguments ask for them; else the job ends."""
    sim = cluster(nodes=1, **({"pyxis": True, "ray_on_host": False} if runtime == "pyxis" else {}))
    (sim.work / "image.sif").touch()
    image = {"sif": str(sim.work / "image.sif")} if runtime == "apptainer" else {"ref": "example/image:1"}
    contained = (
        {}
        if runtime == "none"
        else {
            "image": image,
            "mounts": [{"source": "${{ env.BASE }}", "target": "/base"}],
            "resources": {"shm": "64M"},
        }
    )
    fields = {"resources": {"nodes": 1}, "host_setup": setup, "env": {"KEPT": "${{ env.WORD }} indeed"}}
    folder = render(sim, {**fields, "targets": {"job": {"kind": kind, "runtime": runtime, **contained}}})
    if kind == "manual":
        done = sim.run(["bash", str(folder / "head.sh")], node="node1", timeout=40)
        ended, said = done.status, done.stdout + done.stderr
    else:
        finished = sim.sbatch(folder / "job.sbatch", timeout=40)
        ended, said = finished.status, finished.log
    assert ended == status, said
    assert ("the manifest uses ${{ env.WORD }}, which is not set on this node" in said) == (status == 78), said
    assert [record["env"].get("KEPT") for record in sim.records("driver")] == ([] if status else ["yes indeed"])


@pytest.mark.parametrize(("setup", "words"), [("true\nfalse\n", "failed at line 2 with status 1"), ("exit 3\n", "78")])
def test_pyxis_ends_the_job_when_that_fails(cluster: Make, setup: str, words: str) -> None:
    sim = cluster(ray_on_host=False, pyxis=True)
    target = {"kind": "slurm", "runtime": "pyxis", "image": {"ref": "example/image:1"}}
    done = sim.sbatch(render(sim, {"host_setup": setup, "targets": {"job": target}}) / "job.sbatch", timeout=40)
    assert done.status == 78, done.log
    assert words in done.log
    assert done.leftovers == []
