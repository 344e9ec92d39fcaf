"""Paths of mounts, of the work folder and of finished steps: a program gets them byte for byte, or they are refused."""

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
import ways
from files import function, rendered
from packed import DRIVER, HEAD, Sorted, counted, sort
from values import SENTINEL, pool

CLIENT = '#!/bin/bash\nprintf "%s\\0" "$@" >"${RECORD}"\n'
"""A client that writes down how it was called."""
VARIABLES = "set -euo pipefail\nJOB_DIR=/j JOB_ID=1 ATTEMPT=0 NODE_RANK=0 NODES=1 SLURM_CPUS_ON_NODE=1 CPUS=1\nexec {LIFELINE}</dev/null\n"
STEP = re.compile(r"^  srun .*? &$", re.MULTILINE | re.DOTALL)
OPTIONS = {"docker": "--volume", "podman": "--volume", "apptainer": "--bind"}
PATHS = [f"/p{number}/{value}" for number, value in enumerate(pool())]
REFUSED = {
    "MN100": "a half of a surrogate pair",
    "MN104": "a control character",
    "MN253": "what parts a mount",
    "MN297": "shell syntax",
}


def mounts(runtime: str, paths: Sequence[str]) -> Sorted:
    """Which paths the runtime can mount at the same place."""
    return sort(
        paths,
        HEAD + DRIVER + "mounts:\n",
        lambda _, text: f"  - {{source: {text}, target: {text}}}",
        f"targets: {json.dumps({'job': ways.target(runtime)})}\n",
    )


@pytest.fixture(scope="module")
def docker() -> Sorted:
    """What docker can mount; the others can mount no more."""
    return mounts("docker", PATHS)


def test_many_paths_are_tried(docker: Sorted) -> None:
    counted("mount path", PATHS, docker.refused, accepted=900)
    assert set(docker.refused.values()) == set(REFUSED)
    for path, code in docker.refused.items():
        assert code != "MN253" or ":" in path


@pytest.mark.parametrize("runtime", ways.CONTAINED)
def test_a_client_gets_every_path(runtime: str, docker: Sorted, tmp_path: Path) -> None:
    found = docker if runtime == "docker" else mounts(runtime, docker.accepted)
    assert set(found.refused.values()) <= set(REFUSED)
    assert len(found.accepted) > 300
    words = called(runtime, rendered(found.manifest)["job/job.sbatch"], tmp_path)
    assert mounted(runtime, words) == [f"{path}:{path}" for path in found.accepted]
    assert not (tmp_path / SENTINEL).exists()


def called(runtime: str, text: str, folder: Path) -> list[str]:
    """The arguments that the runtime's client, or `srun`, gets from the job file's own function."""
    (folder / "bin").mkdir()
    client = folder / "bin" / ("srun" if runtime == "pyxis" else runtime)
    client.write_text(CLIENT)
    client.chmod(0o755)
    if runtime == "pyxis":
        (call,) = STEP.findall(text)
        script = f"{function(text, 'receive')}{call}\nwait\n"
    else:
        script = f"{function(text, 'enter_container')}enter_container\n"
    (folder / "job.sh").write_text(VARIABLES + script)
    env = {"PATH": f"{folder}/bin:/usr/bin:/bin", "RECORD": str(folder / "record")}
    done = subprocess.run(["bash", "job.sh"], cwd=folder, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return (folder / "record").read_bytes().decode().split("\0")[:-1]


def mounted(runtime: str, words: list[str]) -> list[str]:
    """The mounts in a client's arguments, without the job's own folder."""
    if runtime == "pyxis":
        (value,) = [word.partition("=")[2] for word in words if word.startswith("--container-mounts=")]
        return value.split(",")[1:]
    found = [words[number + 1] for number, word in enumerate(words) if word == OPTIONS[runtime]]
    return [item for item in found if item not in ("/j", "/j:/j")]


@pytest.fixture(scope="module")
def created() -> Sorted:
    """Which paths may say that a step is done already."""
    head = HEAD + DRIVER + "prepare:\n"
    return sort(PATHS, head, lambda _, text: f"  - {{run: 'true', creates: {text}}}", "targets: {job: {kind: slurm}}\n")


def test_every_finished_step_is_looked_for(created: Sorted, tmp_path: Path) -> None:
    counted("workdir and creates", PATHS, created.refused, accepted=1500)
    text = rendered(created.manifest)["job/job.sbatch"]
    words = re.findall(r"^ *if \[\[ ! -e (.+) \]\]; then$", text, re.MULTILINE)
    assert read_back(words, tmp_path) == list(created.accepted)


def test_every_work_folder_is_gone_to(created: Sorted, tmp_path: Path) -> None:
    paths = created.accepted[::12]
    head = HEAD + DRIVER + "targets:\n"
    found = sort(paths, head, lambda number, text: f"  t{number}: {{kind: manual, workdir: {text}}}", "")
    assert found.accepted == paths
    texts = [text for path, text in rendered(found.manifest).items() if path.endswith("/head.sh")]
    words = [word for text in texts for word in re.findall(r"^ *cd (.+) \|\| fail 78", text, re.MULTILINE)]
    assert read_back(words, tmp_path) == list(paths)


def read_back(words: list[str], folder: Path) -> list[str]:
    """What bash makes of the words."""
    script = "printf '%s\\0' " + " ".join(words) + "\n"
    done = subprocess.run(["bash"], input=script.encode(), cwd=folder, capture_output=True, check=True)
    assert list(folder.iterdir()) == []
    return done.stdout.decode().split("\0")[:-1]
