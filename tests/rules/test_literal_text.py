"""Text that no shell reads, and that seems to be written for one."""

from __future__ import annotations

CASES = {
    "argument with no port": ({"services": {"web": {}}, "driver": {"args": ["${{ services.web.port }}"]}}, ["MN285"]),
    "option and value in one argument": ({"driver": {"args": ["--lr 1e-5"]}}, ["MN297w"]),
    "option with its value": ({"driver": {"args": ["--lr=1e-5", "--prompt=two words", "--note", "-- a b"]}}, []),
    "option and value for a shell": ({"driver": {"command": ["bash", "-c", "--lr 1e-5"]}}, []),
    "argument with what is almost a placeholder": ({"driver": {"args": ["n={{ nodes }}"]}}, ["MN297w"]),
    "argument with a placeholder's name after a dollar": ({"driver": {"args": ["n=${total_gpus}"]}}, ["MN297w"]),
    "argument with a folder that is almost a placeholder": (
        {"driver": {"args": ["{{ data }}/ckpt", "x={{name}}/a", "x={{ x.y }}/{{ z }}"]}},
        ["MN297w"] * 2,
    ),
    "argument with a template of its own": ({"driver": {"args": ["{{ messages }} ${x} $y {{ name }}"]}}, []),
    "argument with a variable": ({"driver": {"args": ["data.files=$HOME/data"]}}, ["MN297w"]),
    "argument with a variable in braces": ({"driver": {"extra_args": ["${SCRATCH}/x"]}}, ["MN297w"]),
    "argument of hydra": ({"driver": {"args": ["x=${oc.env:HOME}", "y=${a.b}", "z=$lower"]}}, []),
    "argument with a home": ({"driver": {"args": ["~/data", "--data=~/x"]}}, ["MN297w"] * 2),
    "argument that leaves a key out": ({"driver": {"args": ["~trainer.logger", "a=b~/c", "~"]}}, []),
    "argument of a shell": ({"driver": {"command": ["bash", "-c", "cd $HOME && ./x"]}}, []),
    "parameters of a shell": (
        {"driver": {"command": ["bash", "-ec", 'exec "$@" $HOME', "x", "$HOME"], "args": ["${KEY}", "--lr 1"]}},
        ["MN297w"] * 3,
    ),
    "text of a shell among the arguments": (
        {"driver": {"command": ["/bin/bash", "--login", "-c"], "args": ["$A"]}},
        [],
    ),
    "text of a shell behind options with a value": (
        {
            "driver": {
                "command": ["bash", "-O", "extglob", "-eo", "pipefail", "--rcfile", "/x", "+x", "-c", "$A", "x", "$B"]
            }
        },
        ["MN297w"],
    ),
    "arguments of a script": ({"driver": {"command": ["bash", "-x", "run.sh", "$HOME"]}}, ["MN297w"]),
    "arguments of Ray": (
        {"ray": {"start_args": ["--resources=$RES", "--labels=a=$(hostname)"], "head_args": ["--x=$((2 * 3))"]}},
        ["MN297w"] * 3,
    ),
    "arguments of Ray that are what they seem": (
        {"ray": {"start_args": ['--resources={"a": 1}', "--labels=b=c"], "worker_args": ["--x=US$5"]}},
        [],
    ),
    "a command's output in arguments": (
        {"driver": {"args": ["$(date +%s)", "--t=`date`", "price=$(5", "a $(b)"]}},
        ["MN297w"] * 2,
    ),
    "a command's output that a shell works out": ({"driver": {"command": ["bash", "-c", "$(date)"]}}, []),
    "variables of a service": (
        {"services": {"a": {"command": ["serve"], "env": {"X": "$SCRATCH/y", "Y": "$(id)", "Z": "a$b"}}}},
        ["MN297w"] * 2,
    ),
    "variables of a submitted job": (
        {"driver": {"submit": "ray-job", "runtime_env": {"env_vars": {"X": "$HAS_NVLINK", "Y": "1"}}}},
        ["MN297w"],
    ),
    "argument of a service": ({"services": {"a": {"command": ["serve", "$HOME/x"]}}}, ["MN297w"]),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)
