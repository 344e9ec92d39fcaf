"""``slurm.srun_args``: what the job's own srun says already, and what would break it."""

from __future__ import annotations


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
    "on another kind": ({**args("--ntasks=1"), "kind": "manual"}, []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)
