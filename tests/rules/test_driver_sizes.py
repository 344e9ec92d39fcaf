"""Counts of frameworks among the driver's arguments, and an argument that is given twice."""

from __future__ import annotations

import pytest


def args(*words, **fields):
    return {"driver": {"args": list(words)}, **fields}


def command(*words, **fields):
    return {"driver": {"command": list(words)}, **fields}


CASES = {
    "NeMo-RL": (args("cluster.num_nodes=2", "cluster.gpus_per_node=8"), []),
    "NeMo-RL with more nodes": (args("cluster.num_nodes=4", "cluster.gpus_per_node=8"), ["MN298"]),
    "NeMo-RL with more GPUs": (args("++cluster.gpus_per_node=16"), ["MN298"]),
    "NeMo-RL with idle nodes": (args("cluster.num_nodes=1", "cluster.gpus_per_node=8"), ["MN298w"]),
    "AReaL": (args("cluster.n_nodes=2", "cluster.n_gpus_per_node=8"), []),
    "AReaL with more nodes": (args("cluster.n_nodes=3"), ["MN298"]),
    "AReaL with more GPUs": (args("cluster.n_nodes=2", "+cluster.n_gpus_per_node=9"), ["MN298"]),
    "AReaL with idle GPUs": (args("cluster.n_nodes=2", "cluster.n_gpus_per_node=4"), ["MN298w"]),
    "server": (command("vllm", "serve", "m", "--tensor-parallel-size=8", "--pipeline-parallel-size", "2"), []),
    "server of a part": (command("vllm", "serve", "m", "-tp", "4"), []),
    "server that is too large": (command("vllm", "serve", "m", "--tensor-parallel-size", "32"), ["MN298"]),
    "server that is too large in both ways": (command("vllm", "serve", "m", "-tp", "8", "-pp", "4"), ["MN298"]),
    "server of SGLang that is too large": (
        command("python3", "-m", "sglang.launch_server", "--tp-size", "16", "--pp-size=2"),
        ["MN298"],
    ),
    "server that is too large, in a text": (command("bash", "-c", "exec vllm serve m -tp 32"), ["MN298"]),
    "server in arguments": (
        {"driver": {"command": ["vllm", "serve"], "args": ["m", "--tensor_parallel_size=17"]}},
        ["MN298"],
    ),
    "server beside a service": (
        {**command("vllm", "serve", "m", "-tp", "16"), "services": {"a": {"gpus": 1, "on": "every-node"}}},
        ["MN298"],
    ),
    "server on CPUs": (command("vllm", "serve", "m", "-tp", "2", resources={"gpus": 0}), []),
    "another program's sizes": (command("python3", "serve.py", "--tensor-parallel-size", "64"), []),
    # One argument, two values.
    "twice, with two values": (args("a.b=1", "c.d=1", "a.b=2"), ["MN310w"]),
    "twice, in two forms": (args("a.b=1", "++a.b=2"), ["MN310w"]),
    "three times": (args("a.b=1", "a.b=2", "a.b=3"), ["MN310w"]),
    "twice, with one value": (args("a.b=1", "a.b=1"), []),
    "twice, with other names": (args("a.b=1", "a.c=2", "b=1", "b=2", "--a.b=3", "--a.b=4", "x a.b=5"), []),
    "in command and args": ({"driver": {"command": ["t", "a.b=1"], "args": ["a.b=2"]}}, ["MN310w"]),
    "replaced by a layer": ({"driver": {"args": ["a.b=1"], "extra_args": ["a.b=2"]}}, []),
    "twice in a layer": ({"driver": {"args": ["a.b=1"], "extra_args": ["a.b=2", "a.b=3"]}}, ["MN310w"]),
    "another one when resumed": ({**args("a.b=1"), "resume": {"args": ["a.b=2"]}, "retry": {"max": 1}}, []),
    "known later": (args("a.b=${{ head_ip }}", "a.b=${{ node_ip }}"), ["MN310w"]),
    "parameters of a shell's text": (command("bash", "-c", 'exec t a.b=1 a.b=2 "$@"'), []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


@pytest.mark.parametrize("name", ["cluster.num_nodes", "cluster.n_nodes"])
def test_the_hint_names_the_placeholder(findings, name):
    (found,) = findings(**args(f"{name}=4"))
    assert found.hint == f"write {name}=${{{{ nodes }}}}, which follows the manifest"


def test_a_server_is_fitted_by_node(findings):
    (found,) = findings(**command("vllm", "serve", "m", "-tp", "32"))
    assert "32" in found.message and "16" in found.message
    assert "--tensor-parallel-size=${{ gpus }} and --pipeline-parallel-size=${{ nodes }}" in (found.hint or "")


def test_what_is_given_twice_names_both_values(findings):
    (found,) = findings(**args("a.b=1", "++a.b=2"))
    assert "a.b=1" in found.message and "++a.b=2" in found.message
    assert [label.text for label in found.labels] == ["driver.args.0 is set here"]
