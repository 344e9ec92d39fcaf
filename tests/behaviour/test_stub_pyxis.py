"""The stand-in for pyxis: what of its options reaches the nodes, and what `srun` refuses before any node hears of it."""

from collections.abc import Iterator

import pytest

from mngen.rehearse.cluster import Cluster, Options


@pytest.fixture(scope="module")
def sim() -> Iterator[Cluster]:
    """One node whose Slurm has pyxis."""
    cluster = Cluster(Options(nodes=1, pyxis=True, image={"env": {"A": "image", "B": "image"}}))
    yield cluster
    cluster.close()


def said(sim: Cluster, words: str, inside: str = ":") -> tuple[int, list[str]]:
    done = sim.sbatch(f"#!/bin/bash\nexport A=node B=node\nsrun {words} bash -c '{inside}'\n")
    return done.status, done.log.splitlines()


def test_of_each_option_the_last_value_reaches_the_nodes(sim: Cluster) -> None:
    """Slurm keeps one `optarg` for each option of a plugin (src/common/plugstack.c)."""
    for name in ("one", "two"):
        (sim.work / name).mkdir()
    image, there = "--container-image=i:1", "test -e /one; echo $?; test -e /two; echo $?"
    mounts = [f"--container-mounts={sim.work}/{name}:/{name}" for name in ("one", "two")]
    assert said(sim, f"{image} {' '.join(mounts)}", there) == (0, ["1", "0"])
    assert said(sim, f"{image} {mounts[1]} {mounts[0]}", there) == (0, ["0", "1"])
    both = f"{image} {mounts[0]},{sim.work}/two:/two"
    assert said(sim, both, there) == (0, ["0", "0"])
    kept = f"{image} --container-env=A --container-env=B"
    assert said(sim, kept, "echo $A $B") == (0, ["image node"])


def test_mounts_have_flags_and_need_not_be_of_the_node(sim: Cluster) -> None:
    mounts = f"{sim.work}:/w:ro+rprivate,tmpfs:/scratch,umount:/etc/mpi"
    look = "touch /w/x 2>/dev/null || echo read-only; touch /scratch/x && ls /scratch"
    assert said(sim, f"--container-image=i:1 --container-mounts={mounts}", look) == (0, ["read-only", "x"])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--container-image=i:1 --container-image=i:2", "--container-image specified multiple times"),
        ("--container-image=i:1 --container-workdir=/ --container-workdir=/tmp", "--container-workdir specified mul"),
        ("--container-name=a --container-name=b", "--container-name specified multiple times"),
        ("--container-image=i:1 --container-name=a:often", "flag must be"),
        ("--container-image=i:1 --container-name=:exec", "empty name"),
        ("--container-image=i:1 --container-mounts=", "argument required"),
        ("--container-image=i:1 --container-mounts=/tmp:/a,", "invalid format: "),
        ("--container-image=i:1 --container-mounts=volume:/a --container-mounts=/tmp", "mount source must be"),
        ("--container-image=i:1 --container-mounts=/tmp:a", "mount target must be"),
        ("--container-image=i:1 --container-env=A,,B", "invalid format: A,,B"),
        ("--container-image=i:1 --container-writable --container-readonly", "both --container-writable and"),
        ("--container-image=i:1 --no-container-mount-home --container-mount-home", "both --container-mount-home and"),
    ],
)
def test_srun_refuses_what_pyxis_does(sim: Cluster, words: str, why: str) -> None:
    """As its args.c does, whatever the nodes would get of it."""
    status, log = said(sim, words, "echo started")
    assert (status, "started" in log) == (1, False), log
    assert log[0].startswith("srun: error: pyxis: ")
    assert why in log[0]


def test_the_same_value_twice_is_none_too_many(sim: Cluster) -> None:
    assert said(sim, "--container-image=i:1 --container-image=i:1", "echo in") == (0, ["in"])


def test_without_an_image_or_a_name_there_is_no_container(sim: Cluster) -> None:
    status, log = said(sim, "--container-mounts=/tmp:/elsewhere", "test -e /elsewhere || echo on the node")
    assert (status, log[-1]) == (0, "on the node")
    assert "ignoring --container-mounts because neither" in log[0]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--container-image=i:1 --container-mounts=/not/there:/a", "couldn't mount /not/there: No such file"),
        ("--container-image=/not/there.sqsh", "could not open image /not/there.sqsh"),
        ("--container-image=i:1 --container-workdir=/not/there", "failed to set working directory /not/there"),
    ],
)
def test_a_node_says_why_it_does_not_start_a_container(sim: Cluster, words: str, why: str) -> None:
    status, log = said(sim, words)
    assert (status, "slurmstepd: error: " in log[0], why in log[0]) == (1, True, True), log
