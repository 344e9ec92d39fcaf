"""``slurm.srun_args``: what the job's own srun says already, and what would break it."""

from __future__ import annotations

import pytest

from mngen.checks.option_tables import table
from mngen.manifest.judging.srun_names import FLAGS, OPTIONAL, SHORTS, VALUED


def args(*words, **more):
    return {"slurm": {"srun_args": list(words)}, **more}


CASES = {
    "binding": (args("--gpu-bind=none", "--cpu-bind", "none", "--mpi=none", "--network=single_node_vni"), []),
    "a plugin's": (args("--environment=/x y.toml", "--label"), []),
    "tasks": (args("-n", "1"), ["MN305"]),
    "nodes": (args("-N1"), ["MN305"]),
    "CPUs": (args("--cpus-per-task=4"), ["MN305"]),
    "its output": (args("-o", "x.log", "--error=y"), ["MN305"] * 2),
    "its environment": (args("--export=NONE"), ["MN305"]),
    "a terminal": (args("--pty"), ["MN305"]),
    "pyxis": (args("--container-image=a", "--no-container-mount-home"), ["MN305"] * 2),
    "a program": (args("--label", "bash"), ["MN305"]),
    "a program behind a value": (args("--mpi", "none", "bash"), ["MN305"]),
    **{
        f"no value: {words}": (args(*words.split()), ["MN305"])
        for words in ("--cpu-bind", "-p", "-C", "--comment", "--cpu-bind --label", "-lJ", "-D -l", "--distribution -v")
    },
    **{
        f"which nodes: {words}": (args(*words.split()), ["MN305"])
        for words in (
            "-w n1",
            "-wn1",
            "-w",
            "--nodelist=n1",
            "-x n2",
            "--exclude=n2",
            "-r1",
            "-r 1",
            "-F hosts",
            "-F",
            "--nodefile hosts",
            "-M other",
            "-Z",
        )
    },
    **{
        f"when, and how it ends: {words}": (args(*words.split()), ["MN305"])
        for words in (
            "--begin=now",
            "-b now",
            "--dependency=singleton",
            "-d afterok:1",
            "-H",
            "--deadline=now+1hour",
            "--time=5",
            "-t5",
            "-t",
            "--time 5",
            "--signal=USR1@60",
            "-W0",
            "--async",
        )
    },
    **{
        f"against resources: {words}": (args(*words.split()), ["MN305"])
        for words in (
            "--gres=gpu:4",
            "--gres=nvme:1,gpu:h100:4",
            "--gres=none",
            "--gpus=4",
            "-G4",
            "--gpus-per-node 4",
            "--gpus-per-task=1",
            "--tres-per-task=gres/gpu:1",
            "--tres-per-task=gres:gpu:1",
            "--tres-per-task=cpu:4",
            "--ntasks-per-gpu=1",
            "--cpus-per-gpu=4",
        )
    },
    "other resources of a node": (args("--gres=nvme:100G", "--licenses=a:1"), []),
    "GPUs that the partition gives": (
        {"slurm": {"srun_args": ["--gres=gpu:8"], "gpu_request": {"form": "none"}}},
        ["MN231w"],
    ),
    "memory": (args("--mem=64G", resources={"gpus": 8, "memory": "64G"}), ["MN305"]),
    "memory of a CPU": (args("--mem-per-cpu=4G", resources={"gpus": 8, "memory": "64G"}), ["MN305"]),
    "memory that extra asks for": ({"slurm": {"srun_args": ["--mem=64G"], "extra": ["--mem-per-gpu=9G"]}}, ["MN305"]),
    "all of the memory": (args("--mem=0", resources={"gpus": 8, "memory": "64G"}), []),
    "memory that nothing says": (args("--mem=64G"), []),
    **{
        f"runs nothing: {words}": (args(*words.split()), ["MN305"])
        for words in (
            "--help",
            "-h",
            "--usage",
            "-V",
            "--version",
            "--test-only",
            "--mpi=list",
            "--mpi list",
            "--cpu-bind=help",
            "--mem-bind=help",
            "--hint=help",
        )
    },
    **{
        f"another spelling: {words}": (args(*words.split()), ["MN305"])
        for words in (
            "--nod=2",
            "--ntasks-per-n=1",
            "--outp=x",
            "--exp=NONE",
            "--multi",
            "-vN1",
            "-lo x",
            "-QvV",
            "-y",
            "--label=1",
        )
    },
    "beginnings and letters together of others": (args("--lab", "-uv", "--cpu-b=none", "--dist", "block"), []),
    "one item for two words": (args("--cpu-bind none"), ["MN305"]),
    "the end of options": (args("--"), ["MN305"]),
    **{
        f"twice: {words}": (args(*words.split()), ["MN305"])
        for words in ("--mpi=none --mpi=pmix", "-m block --distribution=cyclic", "--cpu-b=none --cpu-bind=cores")
    },
    "twice, which adds up or says the same": (args("-v", "-v", "--label", "-l"), []),
    "twice, of a plugin": (args("--mount-site=/a", "--mount-site=/b"), []),
    **{
        f"a plugin's: {words}": (args(*words.split()), [])
        for words in (
            "--uenv=a:b --view=default",
            "--environment x",
            "--x-y --label",
            "--site-flag",
            "--nodes-of-site=1",
        )
    },
    "on another kind": ({**args("--ntasks=1"), "kind": "manual"}, []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


def test_the_lists_are_those_of_the_table():
    own = {
        o.name: o for o in table("srun").options.values() if "container-" not in o.name or o.name == "--container-id"
    }
    assert {name for name, option in own.items() if option.kind in {"flag", "count"}} == FLAGS
    assert {name for name, option in own.items() if option.kind == "optional"} == OPTIONAL
    assert {name for name, option in own.items() if option.takes_value} == VALUED
    assert {short: option.name for option in own.values() for short in option.shorts} == SHORTS


@pytest.mark.parametrize(
    ("words", "hint", "mended"),
    [
        (["--cpu-bind"], "write one item, --cpu-bind=VALUE", ["--cpu-bind=VALUE"]),
        (["--cpu-bind none"], "write two items: '--cpu-bind', 'none'", ["--cpu-bind", "none"]),
        (["--label=1"], "write --label", ["--label"]),
        (["-w"], "remove it and set slurm.nodelist", []),
        (["-t5"], "remove it and set slurm.time", []),
        (["--gres=gpu:1"], "remove it and set resources.gpus", []),
        (["--no-k"], "remove it and set on_node_loss", []),
        (["--time-"], "write one item, --time-min=VALUE", ["--time-min=1"]),
    ],
)
def test_the_hint_applied_ends_the_finding(findings, codes, words, hint, mended):
    (found,) = findings(**args(*words))
    assert found.hint == hint
    assert codes(**args(*mended)) == []
