"""Files for SkyPilot, dstack and machines without a scheduler, in what those put around them, with a real Ray."""

import json
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from cells import NEW_RAY
from footprint import Before
from jobs import REPORT
from lab import PATH, Lab
from lab_files import HOME, LAB, Shape
from sites import SITES, example

WORK = f"{HOME}/alice/work"
# What SkyPilot 0.14 writes around a task's `run` text before `bash -i` runs it (`sky/skylet/log_lib.py`,
# `make_task_bash_script`).
SKY_SCRIPT = """#!/bin/bash
source ~/.bashrc
set -a
. $(conda info --base 2> /dev/null)/etc/profile.d/conda.sh > /dev/null 2>&1 || true
set +a
export PYTHONUNBUFFERED=1
cd {workdir}
{exports}
{run}
"""


class Nodes:
    """What one launcher has running on the nodes of a lab."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.running: list[subprocess.Popen[str]] = []

    def start(self, node: str, argv: Sequence[str], env: Mapping[str, str], cwd: str = WORK) -> None:
        """Run something on a node as alice, and go on."""
        # Nodes that others hand out have their vendor's tools.
        given = [f"PATH={LAB}/bin:{PATH}", *(f"{name}={value}" for name, value in env.items())]
        command = self.lab.command(argv, node=node, user="alice", env=given, cwd=cwd)
        self.running.append(
            subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
        )

    def wait(self, seconds: float = 180) -> list[tuple[int, str]]:
        """Status and output of each."""
        return [(process.wait(), out) for process in self.running for out in [process.communicate(timeout=seconds)[0]]]


def skypilot(nodes: Nodes, task: dict[str, Any], addresses: list[str], _args: Sequence[str]) -> None:
    """Each node runs the text from a file, by `bash -i`, with SkyPilot's variables."""
    for rank, node in enumerate(nodes.lab.shape.names):
        variables = {
            "SKYPILOT_NODE_IPS": "\n".join(addresses),
            "SKYPILOT_NODE_RANK": str(rank),
            "SKYPILOT_NUM_NODES": str(len(addresses)),
            "SKYPILOT_NUM_GPUS_PER_NODE": str(nodes.lab.shape.gpus),
            "SKYPILOT_TASK_ID": "sky-2026-01-01-00-00-00-000000_cluster_task-1",
            "WANDB_API_KEY": "a-value-that-nobody-may-see",
        }
        exports = "\n".join(f"export {name}={shlex.quote(value)}" for name, value in variables.items())
        script = f"{WORK}/sky_app_{rank}"
        nodes.lab.path(script).write_text(SKY_SCRIPT.format(workdir=WORK, exports=exports, run=task["run"]))
        nodes.start(node, ["bash", "-i", script], {})


def dstack(nodes: Nodes, task: dict[str, Any], addresses: list[str], args: Sequence[str]) -> None:
    """Each node has the commands joined by `&&`, in `SHELL -i -c` on a terminal, with dstack's variables."""
    text = " && ".join(each.replace("${{ run.args }}", shlex.join(args)) for each in task["commands"])
    for rank, node in enumerate(nodes.lab.shape.names):
        variables = {
            "DSTACK_NODES_IPS": "\n".join(addresses),
            "DSTACK_NODE_RANK": str(rank),
            "DSTACK_NODES_NUM": str(len(addresses)),
            "DSTACK_MASTER_NODE_IP": addresses[0],
            "DSTACK_GPUS_PER_NODE": str(nodes.lab.shape.gpus),
            "DSTACK_GPUS_NUM": str(nodes.lab.shape.gpus * len(addresses)),
            "DSTACK_RUN_ID": "00000000-0000-4000-8000-000000000001",
            "DSTACK_RUN_NAME": "run",
            "WANDB_API_KEY": "a-value-that-nobody-may-see",
        }
        terminal = [
            "script",
            "--quiet",
            "--return",
            "--command",
            shlex.join([task.get("shell", "sh"), "-i", "-c", text]),
        ]
        nodes.start(node, [*terminal, "/dev/null"], variables)


def manual(nodes: Nodes, _task: dict[str, Any], addresses: list[str], args: Sequence[str]) -> None:
    """Somebody starts the head, and then the workers with its address."""
    secret = {"WANDB_API_KEY": "a-value-that-nobody-may-see"}
    nodes.start("node1", ["bash", "out/hosts/head.sh", *args], secret)
    for rank, node in enumerate(nodes.lab.shape.names[1:], 1):
        nodes.start(node, ["bash", "out/hosts/worker.sh", addresses[0], str(rank)], secret)


KINDS = {
    "verl-gsm8k-skypilot/gcp": (skypilot, "task.sky.yaml", f"{HOME}/alice/mngen-boot.sh"),
    "verl-dstack/unattended": (dstack, "task.dstack.yml", "/mngen/boot.sh"),
    "sglang-2x8/hosts": (manual, "head.sh", ""),
}
CELLS = [
    pytest.param("verl-gsm8k-skypilot/gcp", "ipv4", 0),
    pytest.param("verl-gsm8k-skypilot/gcp", "ipv6", 7, marks=pytest.mark.only_page),
    pytest.param("verl-dstack/unattended", "dual", 7, marks=pytest.mark.only_page),
    pytest.param("verl-dstack/unattended", "ipv6", 0, marks=pytest.mark.only_page),
    pytest.param("sglang-2x8/hosts", "ipv6", 0, marks=pytest.mark.only_page),
    pytest.param("sglang-2x8/hosts", "ipv4", 7, marks=pytest.mark.only_page),
]


@pytest.mark.parametrize(("path", "net", "status"), CELLS)
def real_wrapper(
    path: str,
    net: str,
    status: int,
    cluster: Callable[[Shape], Lab],
    record_property: Callable[[str, object], None],
) -> None:
    """The driver sees every node and its GPUs; its status is the head's; nothing is left."""
    site = SITES[path]
    lab = cluster(Shape(net=net, gpus=site.gpus, gpu_type=site.gpu_type))
    launch, name, boot = KINDS[path]
    facts = {"path": path, "runtime": launch.__name__, "net": net, "nodes": 2, "slurm": "", "ray": NEW_RAY}
    for key, value in facts.items():
        record_property(key, value)
    lab.folders("alice", *site.folders)
    with tempfile.TemporaryDirectory() as scratch:
        files = example(path, NEW_RAY, f"env.DRIVER_EXIT={status}")
        files.render(Path(scratch))
        lab.give(Path(scratch), WORK, "alice")
    folder = f"{WORK}/out/{files.target}"
    task = yaml.safe_load(lab.path(f"{folder}/{name}").read_text()) if name.endswith(("yaml", "yml")) else {}
    if boot:
        lab.run("install", "-D", f"{folder}/boot.sh", boot)
        lab.run("touch", f"{HOME}/alice/.bashrc")
    before = Before.of(lab)
    nodes = Nodes(lab)
    launch(nodes, task, [lab.shape.addresses(rank)[0] for rank in (1, 2)], ["it's $HOME", "*"])
    (head, said), (worker, other) = nodes.wait()
    assert head == status, f"{said}\n{other}"
    report = json.loads(REPORT.findall(said)[-1])
    assert report["tasks"] == ["node1", "node2"]
    assert [host for host, _ in report["gpus"]] == ["node1", "node2"]
    if launch is not skypilot:  # which has no arguments after the file
        assert report["argv"][-2:] == ["it's $HOME", "*"]
    assert worker == 0, other
    before.expect_nothing_left()
    record_property("end", f"head {head}, worker {worker}")
