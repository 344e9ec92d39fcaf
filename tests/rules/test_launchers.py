"""Drivers and services that start or await processes on several nodes: every launcher, told of nodes or not."""

from __future__ import annotations

import shlex

import pytest

from mngen.manifest.judging.launchers import LAUNCHERS, RAY, commands_of

TWO = {"nodes": 2}


def driver(command, **more):
    words = shlex.split(command) if isinstance(command, str) else command
    return {"driver": {"command": words}, "resources": TWO, **more}


def service(command, **more):
    return {"services": {"a": {"command": shlex.split(command), **more}}, "resources": TWO}


CASES = {
    "sglang": (driver("python3 -m sglang.launch_server --nnodes 2 --node-rank 0"), ["MN302w"]),
    "sglang on one node": (driver("python3 -m sglang.launch_server --nnodes 1"), []),
    "deepspeed": (driver("deepspeed --num_nodes 2 train.py"), ["MN302w"]),
    "deepspeed with hosts": (driver("deepspeed --hostfile hosts train.py"), ["MN302w"]),
    "deepspeed on its own node": (driver("deepspeed --num_gpus 8 train.py"), []),
    "vllm": (driver("python -m vllm.entrypoints.openai.api_server --nnodes=2"), ["MN302w"]),
    "vllm serve": (driver("vllm serve a/b --nnodes 2 --node-rank 0"), ["MN302w"]),
    "vllm serve with Ray": (driver("vllm serve a/b --distributed-executor-backend ray"), []),
    "number of the job's nodes": (driver(["bash", "-c", "torchrun --nnodes $SLURM_NNODES t.py"]), ["MN302w"]),
    "number of another variable": (driver(["bash", "-c", "torchrun --nnodes $NNODES t.py"]), []),
    "ray in a shell": (driver(["bash", "-c", "ray start --head && python train.py"]), ["MN302w"]),
    "ray in several lines": (driver(["bash", "-c", "set -e\nray start --head\npython train.py"]), ["MN302w"]),
    "ray itself": (driver("ray start --head"), ["MN302w"]),
    "ray up": (driver("/venv/bin/ray up cluster.yaml"), ["MN302w"]),
    "ray's status": (driver("ray status"), []),
    "ray's job": (driver("ray job submit -- python3 start.py"), []),
    "script that says so": (driver(["bash", "-c", "echo 'ray start' && python3 train.py"]), []),
    "script that is none of words": (driver(["bash", "-c", "echo ${A:-'} && x"]), []),
    "launcher in a shell": (driver(["bash", "-lc", "cd /x; exec torchrun --nnodes=4 t.py"]), ["MN302w"]),
    "srun in a shell": (driver(["bash", "-c", "A=1 srun python3 t.py"]), ["MN302w"]),
    "srun": (driver("srun python3 t.py"), ["MN302w"]),
    "word that is srun": (driver("echo srun"), []),
    "mpirun on hosts": (driver("mpirun -np 16 -H a:8,b:8 python3 t.py"), ["MN302w"]),
    "mpirun on the head": (driver("mpirun -np 8 python3 t.py -H x"), []),
    "mpirun on the head by name": (driver("mpirun -np 8 -H localhost:8 python3 t.py"), []),
    "program with a launcher's option": (driver("python3 t.py --launcher torchrun --nnodes 2"), []),
    "program of a launcher's name": (driver("python3 train.py --engine vllm --nnodes 2"), []),
    "service on the head": (service("python3 -m sglang.launch_server --nnodes 2"), ["MN302w"]),
    "service on every node": (service("python3 -m sglang.launch_server --nnodes 2", on="every-node"), []),
    "service of one node": (service("vllm serve a/b --nnodes 1"), []),
}


def words_of(launcher, option, value):
    """Return a command that runs a launcher; a name with dots is a module."""
    front = ["python3", "-m"] if "." in launcher.name and "hydra" not in launcher.name else []
    return [*front, *launcher.name.split(), option, value, "train.py"]


TOLD = [(one, option) for one in LAUNCHERS.values() for option in one.counts]
PLACED = [(one, option) for one in LAUNCHERS.values() for option in one.hosts]


@pytest.mark.parametrize(("launcher", "option"), TOLD, ids=[f"{one.name} {option}" for one, option in TOLD])
def test_a_launcher_is_told_of_nodes(codes, launcher, option):
    for front in ([], ["env", "A=1"], ["uv", "run"], ["/opt/bin/numactl", "-N", "0"]):
        assert codes(**driver([*front, *words_of(launcher, option, "2")])) == ["MN302w"], front
        assert codes(**driver([*front, *words_of(launcher, option, "1")])) == [], front
    assert codes(**driver(words_of(launcher, f"{option}=3", "x"))) == ["MN302w"]
    assert codes(**driver(words_of(launcher, "--other", "2"))) == []
    in_shell = ["bash", "-c", shlex.join(words_of(launcher, option, "2"))]
    assert codes(**driver(in_shell)) == ["MN302w"]
    assert codes(**driver(["bash", "-c", shlex.join(words_of(launcher, option, "1"))])) == []


@pytest.mark.parametrize(("launcher", "option"), PLACED, ids=[f"{one.name} {option}" for one, option in PLACED])
def test_a_launcher_is_told_of_hosts(codes, launcher, option):
    assert codes(**driver(words_of(launcher, option, "hosts"))) == ["MN302w"]
    assert codes(**driver(words_of(launcher, option, "localhost"))) == []


@pytest.mark.parametrize("name", RAY)
def test_ray_is_up_already(codes, name):
    assert codes(**driver(["ray", name])) == ["MN302w"]
    assert codes(**driver(["python3", "ray.py", name])) == []


HINTS = {
    "torchrun --nnodes 2 t.py": "let Ray's workers use the other nodes (Ray Train starts what torchrun does); or write one node",
    "vllm serve a --nnodes 2": (
        "make it a service with `on: every-node` and `--node-rank ${{ node_rank }}`; or write one node"
    ),
    "ray start --head": "write the program itself, which finds that cluster",
}  # fmt: skip


@pytest.mark.parametrize("command", HINTS)
def test_the_hint_says_what_runs_on_the_other_nodes(findings, command):
    (found,) = findings(**driver(command))
    assert found.hint == HINTS[command]


def test_a_script_is_read_command_by_command():
    script = "a 'b;c' && d \\\n  e | f\n# g\nh"
    assert list(commands_of(script)) == [["a", "b;c"], ["d", "e"], ["f"], ["h"]]
