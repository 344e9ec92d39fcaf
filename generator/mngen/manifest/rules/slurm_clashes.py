"""Directives that sbatch refuses together, whichever way each is given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import capability, holds
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.hostlist import count_hosts, host_names
from mngen.manifest.judging.slurm_options import TYPED, extra_options
from mngen.manifest.model import Memory, Target

# Slurm 26.05, src/common/slurm_opt.c and src/sbatch/opt.c: pairs that are fatal.
_CLASHES = (
    ("--exclusive", "--oversubscribe"),
    ("--core-spec", "--thread-spec"),
    ("--hint", "--ntasks-per-core"),
    ("--hint", "--threads-per-core"),
    ("--hint", "--extra-node-info"),
    ("--hint", "--cpu-bind"),
    ("--mem", "--mem-per-cpu"),
    ("--mem", "--mem-per-gpu"),
    ("--mem-per-cpu", "--mem-per-gpu"),
    ("--ntasks-per-gpu", "--gpus-per-task"),
    ("--ntasks-per-gpu", "--gpus-per-socket"),
    ("--ntasks-per-gpu", "--ntasks-per-node"),
    ("--ntasks-per-gpu", "--tres-per-task"),
)
_NUMBER = re.compile(r"[0-9]{1,9}")
_NODES = "resources.nodes"
_CPU_FORMS = ("--cpus-per-task", "--cpus-per-gpu", "--tres-per-task")


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse pairs of options that Slurm refuses, before the job is queued."""
    if target.kind != "slurm":
        return
    yield from _hosts(target)
    yield from _segment(target)
    given = _given(target)
    for one, other in _CLASHES:
        if one in given and other in given:
            yield _clash(target, given, one, other, ", which exclude each other")
    if holds("slurm-cpu-forms-exclusive", target.slurm.version) is not False:
        forms = [name for name in _CPU_FORMS if name in given and _about_cpus(target, name)]
        if len(forms) > 1:
            why = capability("slurm-cpu-forms-exclusive").holds
            yield _clash(target, given, forms[0], forms[1], f": {why}")


def _hosts(target: Target) -> Iterator[Diagnostic]:
    """Refuse a list of hosts that is longer than the job, as sbatch takes all of them or none, or leaves one out."""
    value, field = _list(target, "nodelist")
    hosts = count_hosts(value)
    left, by = _list(target, "exclude")
    both = sorted(host_names(value) & host_names(left))
    if both:
        yield finding(
            target,
            "MN240",
            by,
            f"{by} leaves out {both[0]}, which {field} asks for: no job can have it so",
            hint="keep it in one of the two",
            other=(field,),
        )
    if hosts is not None and hosts > target.resources.nodes:
        yield finding(
            target,
            "MN240",
            field,
            f"{field} names {hosts} hosts, but resources.nodes is {target.resources.nodes}; a job gets all of its list",
            hint="name as many as nodes, or exclude the ones that must not be used",
            other=(_NODES,),
        )


def _segment(target: Target) -> Iterator[Diagnostic]:
    """Refuse segments that do not make up the job.

    sbatch(1), --segment: "evenly divisible". Slurm 26.05 passes over one that is larger than the job
    (src/plugins/topology/block/eval_nodes_block.c).
    """
    value, field = _list(target, "segment")
    nodes = target.resources.nodes
    size = int(value) if _NUMBER.fullmatch(value) else 0
    if size == 0 or nodes % size == 0:
        return
    fits = max(divisor for divisor in range(1, min(size, nodes) + 1) if nodes % divisor == 0)
    more, told = (finding, "does not divide") if size < nodes else (warning, "is more than")
    message = f"{field} is {size}, which {told} resources.nodes, {nodes}; a job is made of whole segments"
    yield more(target, "MN240", field, message, hint=f"write a divisor of nodes, such as {fits}", other=(_NODES,))


def _list(target: Target, name: str) -> tuple[str, str]:
    """Return what an option is set to, or an empty text, and the field that gives it."""
    typed = target.slurm.fields.get(name)
    if isinstance(typed, str):
        return typed, f"slurm.{name}"
    raw = {option.name: (option.value or "", f"slurm.extra.{option.index}") for option in extra_options(target)}
    return raw.get(TYPED[name], ("", f"slurm.{name}"))


def _about_cpus(target: Target, name: str) -> bool:
    if name != "--tres-per-task":
        return True
    return any(o.name == name and "cpu" in (o.value or "") for o in extra_options(target))


def _clash(target: Target, given: dict[str, str], one: str, other: str, why: str) -> Diagnostic:
    return finding(
        target,
        "MN240",
        given[other],
        f"{given[one]} and {given[other]} become {one} and {other}{why}",
        hint="keep one of the two",
        other=(given[one],),
    )


def _given(target: Target) -> dict[str, str]:
    """Return the options of the job file, each with the field that gives it."""
    fields = target.slurm.fields
    given = {TYPED[name]: f"slurm.{name}" for name, value in fields.items() if name in TYPED and value is not False}
    if target.resources.cpus is not None:
        given["--cpus-per-task"] = "resources.cpus"
    memory = target.resources.memory
    if memory is not None:
        given[_memory_option(target, memory)] = "resources.memory"
    if target.resources.gpus > 0 and target.slurm.gpu_request.form == "gpus-per-node":
        given["--gpus-per-node"] = "resources.gpus"
    given["--ntasks-per-node"] = "resources.nodes"
    given.update({o.name: f"slurm.extra.{o.index}" for o in extra_options(target) if o.name not in given})
    return given


def _memory_option(target: Target, memory: Memory) -> str:
    """Return what the job file asks for memory by; without an option for GPUs there is none for the memory of one."""
    if memory.per_cpu is not None:
        return "--mem-per-cpu"
    return "--mem-per-gpu" if memory.per_gpu is not None and target.slurm.gpu_request.form != "none" else "--mem"
