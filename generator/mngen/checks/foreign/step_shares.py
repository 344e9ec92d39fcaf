"""What a step of a job takes of its nodes: all, as it does by itself, or a share, which ``--exact`` asks for.

https://slurm.schedmd.com/srun.html, OPT_exact.
"""

from __future__ import annotations

import re

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.gpu_requests import gpus_of_a_node
from mngen.checks.options import Parsed
from mngen.manifest.whole_numbers import whole_number

_AMOUNTS = (
    *("--ntasks", "--ntasks-per-node", "--cpus-per-task", "--gpus", "--gpus-per-node", "--gpus-per-task", "--gres"),
    *("--ntasks-per-gpu", "--cpus-per-gpu", "--tres-per-task", "--mem", "--mem-per-cpu", "--mem-per-gpu", "--nodes"),
)
PLACES = ("--nodelist", "--nodefile", "--exclude", "--relative", "--het-group", "--constraint")
"""What puts a step on some of the job's nodes."""
_ALL_NODES = re.compile(r"\$\{?SLURM_(?:JOB_NUM_NODES|NNODES)\b[^}]*\}?")


def takes_a_share(step: Call) -> bool:
    """Tell whether a step has to itself only what it asks for, and asks for something."""
    return step.options.has("--exact") and any(step.options.has(name) for name in _AMOUNTS)


def together(first: Call, second: Call, job: Parsed) -> bool:
    """Tell whether two steps that take shares find room side by side, as far as their numbers say."""
    if not (takes_a_share(first) and takes_a_share(second)):
        return False
    steps = (first.options, second.options)
    cpus = (_cpus(job, job), *(_cpus(step, job) for step in steps))
    gpus = (gpus_of_a_node(job), *(gpus_of_a_node(step) for step in steps))
    return _fit(*cpus) and _fit(*gpus)


def on_all_nodes(step: Call, job: Parsed) -> bool:
    """Tell whether a step that takes all of its nodes is on every node of the job for sure."""
    if step.options.has("--exact") or not step.lacks(*PLACES):
        return False
    nodes, wanted = job.value("--nodes"), step.options.value("--nodes")
    if nodes == "1":
        return True
    if wanted is None:
        return step.lacks("--ntasks")
    return wanted == nodes or _ALL_NODES.fullmatch(wanted) is not None


def _fit(whole: int | None, first: int | None, second: int | None) -> bool:
    return whole is None or first is None or second is None or first + second <= whole


def _cpus(options: Parsed, job: Parsed) -> int | None:
    """Return the CPUs of one node that tasks have, where all of it is in numbers."""
    each = whole_number(options.value("--cpus-per-task") or job.value("--cpus-per-task") or "")
    tasks = whole_number(options.value("--ntasks-per-node") or "")
    if tasks is None:
        every = whole_number(options.value("--ntasks") or "")
        nodes = whole_number(options.value("--nodes") or job.value("--nodes") or "")
        tasks = every // nodes if every is not None and nodes and every % nodes == 0 else None
    return each * tasks if each is not None and tasks is not None else None
