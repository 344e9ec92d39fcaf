"""What services, drivers and steps start: clients of Ray before it is there, servers with too few GPUs, the node's tools."""

from __future__ import annotations

import pytest

from mngen.manifest.judging.programs import calls
from mngen.manifest.text import literal

SIF = {"runtime": "apptainer", "image": {"sif": "/a.sif"}}


def service(*words, **fields):
    return {"services": {"a": {"command": list(words), **fields}}}


def driver(*words, **fields):
    return {"driver": {"command": list(words)}, **fields}


CASES = {
    # Services start before Ray.
    "service of Ray Serve": (service("serve", "run", "app:app"), ["MN308w"]),
    "service that deploys to Ray Serve": (service("/v/bin/serve", "deploy", "app.yaml"), ["MN308w"]),
    "service that is a Ray": (service("ray", "start", "--head"), ["MN308w"]),
    "service that submits a job": (service("uv", "run", "--no-sync", "ray", "job", "submit", "--", "x"), ["MN308w"]),
    "service that is a module of Ray": (service("python3", "-u", "-m", "ray.serve.scripts", "run", "a:b"), ["MN308w"]),
    "service on Ray's workers": (
        service("vllm", "serve", "m", "--distributed-executor-backend", "ray", gpus=8),
        ["MN308w"],
    ),
    "service on Ray's workers, in one word": (
        service("python3", "-m", "vllm.entrypoints.openai.api_server", "--distributed_executor_backend=ray", gpus=8),
        ["MN308w"],
    ),
    "service whose text uses Ray": (
        service("bash", "-c", "set -e\nX=1 exec serve run app:app --port ${{ services.a.port }}", port="auto"),
        ["MN308w"],
    ),
    "service whose text asks for Ray's workers": (
        service("bash", "-lc", "cd /x && vllm serve 'a b' \\\n  --distributed-executor-backend=ray", gpus=8),
        ["MN308w"],
    ),
    "service that only names Ray": (
        service("python3", "serve.py", "run", "--name", "ray", "--distributed-executor-backend", "mp"),
        [],
    ),
    "service whose text only names Ray": (
        service("bash", "-c", "# ray start\necho ray start; ./serve run 'x; ray start' # don't"),
        [],
    ),
    "service that serves a folder": (service("serve", "public"), []),
    "driver on Ray's workers": (driver("vllm", "serve", "m", "--distributed-executor-backend", "ray"), []),
    "driver of Ray Serve": (driver("serve", "run", "app:app"), []),
    # Servers that take more GPUs than their service has.
    "server without GPUs": (service("vllm", "serve", "m", "--tensor-parallel-size", "4"), ["MN309w"]),
    "server without GPUs, in short": (service("vllm", "serve", "m", "-tp", "2"), ["MN309w"]),
    "server without GPUs, in stages": (service("vllm", "serve", "m", "-pp=2"), ["MN309w"]),
    "server of SGLang without GPUs": (service("python3", "-m", "sglang.launch_server", "--tp", "2"), ["MN309w"]),
    "server of SGLang with too few": (
        service("env", "A=1", "python", "-m", "sglang.launch_server", "--tp-size=8", gpus=4),
        ["MN309w"],
    ),
    "server with too few in both ways": (
        service("vllm", "serve", "m", "--tensor_parallel_size=4", "--pipeline-parallel-size", "2", gpus=4),
        ["MN309w"],
    ),
    "server with too few in a text": (service("bash", "-c", "exec vllm serve m -tp 8", gpus=4), ["MN309w"]),
    "server that is larger than a node": (service("vllm", "serve", "m", "-tp", "16", gpus=8), ["MN309w"]),
    "server with as many": (service("vllm", "serve", "m", "--tensor-parallel-size=4", gpus=4), []),
    "server with more": (service("vllm", "serve", "m", "-tp", "2", "-tp", "1", gpus=1), []),
    "server over nodes of its own": (
        service("sglang", "serve", "--tp", "8", "--nnodes", "2", on="every-node", gpus=4),
        [],
    ),
    "server of one GPU": (service("vllm", "serve", "m", "--tensor-parallel-size", "1"), []),
    "server on a node without GPUs": ({**service("vllm", "serve", "m", "-tp", "2"), "resources": {"gpus": 0}}, []),
    "another program's option": (service("python3", "serve.py", "--tp", "8", "--tensor-parallel-size", "8"), []),
    "a number that is known later": (service("vllm", "serve", "m", "-tp", "${{ env.TP }}"), []),
    # The node's programs are not in an image.
    "service that starts a container": ({**service("docker", "run", "x"), **SIF}, ["MN299w"]),
    "service that starts a container, on the node": (service("docker", "run", "x"), []),
    "service that starts a container, behind another": (
        {**service("env", "A=1", "/usr/bin/apptainer", "exec", "x.sif", "y"), **SIF},
        ["MN299w"],
    ),
    "service whose text starts a step": ({**service("bash", "-c", "cd /x; srun hostname"), **SIF}, ["MN299w"]),
    "driver that starts a container": (driver("podman", "run", "x", **SIF), ["MN299w"]),
    "driver that submits a job": (driver("sbatch", "x.sh", **SIF), ["MN299w"]),
    "driver that is a step": (driver("srun", "x", **SIF), ["MN302w"]),
    "driver with a prefix": (
        {**driver("docker", "run", "x"), "runtime": "prefix", "container": {"prefix": ["shifter"]}},
        [],
    ),
    "probe that asks Slurm": (
        {**service("serve", ready={"command": ["scontrol", "ping"]}), **SIF},
        ["MN299w"],
    ),
    "step that starts a container": ({"prepare": ["cd /x\ndocker run --rm x"], **SIF}, ["MN299w"]),
    "step that asks Slurm": ({"prepare": ["nodes=1; sbatch x.sh"], **SIF}, ["MN299w"]),
    "step that starts a container, on the node": ({"prepare": ["docker run --rm x"]}, []),
    "step before the container": ({"host_setup": "apptainer pull x", **SIF}, []),
    "step that asks whether it is there": ({"prepare": ["command -v docker || echo none; echo srun"], **SIF}, []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["a", "b"], ["a b"]),
        (["env", "-i", "A=1", "/x/a", "b"], ["a b"]),
        (["exec", "nohup", "a"], ["a"]),
        (["timeout", "-k", "5", "10m", "a", "b"], ["a b"]),
        (["uv", "run", "--no-sync", "python3.12", "-u", "-X", "dev", "-m", "m.n", "x"], ["m.n x"]),
        (["python3", "a.py", "-m", "x"], ["a.py -m x"]),
        (["python3", "-c", "x"], []),
        (
            ["bash", "-c", "a 'b c' && d |& e; (f g) &\nh \\\n i 2>&1 # j\nif k; then l; fi"],
            ["a b c", "d", "e", "f g", "h i", "k", "l"],
        ),
        (["bash", "-c", "a 'b"], []),
        (["bash", "-c"], []),
        ([], []),
    ],
)
def test_the_calls_of_a_command(words, expected):
    found = [
        " ".join(call.words) for call in calls([(f"x.{index}", literal(word)) for index, word in enumerate(words)])
    ]
    assert found == expected


def test_a_finding_says_how_a_client_finds_the_driver(findings):
    (found,) = findings(**service("serve", "run", "app:app"))
    assert "driver" in (found.hint or "") and "${{ head_host }}" in (found.hint or "")
    (found,) = findings(**service("ray", "start", "--head"))
    assert "remove" in (found.hint or "")


@pytest.mark.parametrize(("wanted", "hint"), [("4", "gpus: 4"), ("16", "at most 8")])
def test_the_hint_for_a_server_fits_the_node(findings, wanted, hint):
    (found,) = findings(**service("vllm", "serve", "m", "-tp", wanted))
    assert hint in (found.hint or "")
