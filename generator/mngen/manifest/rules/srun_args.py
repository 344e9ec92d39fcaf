"""``slurm.srun_args`` against what the job's own ``srun`` has."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.container_words import NoOption, NoValue
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.srun_names import OPTIONAL, VALUED
from mngen.manifest.judging.srun_shares import decided_by
from mngen.manifest.judging.srun_words import Refused, read_srun_words
from mngen.manifest.judging.words import Option
from mngen.manifest.model import Target

_ALL_NODES = "and the step is for all nodes of the job"
_HAS_BEGUN = "which is for a job that has not begun"
_BROKEN = {
    "--export": ("with which nodes would not get what the batch shell found out for them", ""),
    "--exclusive": ("with which the step would wait for CPUs that the batch shell may hold", ""),
    "--input": ("with which nodes would not get the job file", ""),
    "--output": ("with which the log would not have what nodes say", ""),
    "--error": ("with which the log would not have what nodes say", ""),
    "--overlap": ("which it has already", ""),
    "--pty": ("which is for one task with a terminal", ""),
    "--multi-prog": ("with which srun would take the job file for a list of programs", ""),
    "--clusters": ("and the step is one of this job", ""),
    "--jobid": ("and the step is one of this job", ""),
    "--no-allocate": ("and the step is one of this job", ""),
    "--het-group": (_ALL_NODES, ""),
    "--nodelist": (_ALL_NODES, "slurm.nodelist"),
    "--nodefile": (_ALL_NODES, "slurm.nodelist"),
    "--exclude": (_ALL_NODES, "slurm.exclude"),
    "--relative": (_ALL_NODES, ""),
    "--begin": (_HAS_BEGUN, "slurm.begin"),
    "--dependency": (_HAS_BEGUN, "slurm.dependency"),
    "--deadline": (_HAS_BEGUN, "slurm.deadline"),
    "--hold": (_HAS_BEGUN, ""),
    "--time": ("with which the step would end before the job does", "slurm.time"),
    "--wait": ("with which srun would end a head whose workers are done", ""),
    "--async": ("with which the batch shell would not wait for the step", ""),
    "--bcast": ("and the job file reaches nodes by the step's input", ""),
    **dict.fromkeys(
        ("--autocomplete", "--help", "--test-only", "--usage", "--version"), ("with which nothing runs", "")
    ),
}
"""Options with which the job would not work, each with why and the field that says it of the job, if one does."""
_LISTING = frozenset({("--mpi", "list"), ("--cpu-bind", "help"), ("--mem-bind", "help"), ("--hint", "help")})
"""Values at which srun prints what there is, and ends."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse what the job's own options say already, what breaks it, and what pyxis is told elsewhere."""
    if target.kind != "slurm":
        return
    words, first = target.slurm.srun_args, dict[str, int]()
    for found in read_srun_words(words):
        field, item = f"slurm.srun_args.{found.index}", f"slurm.srun_args item {words[found.index]!r}"
        if isinstance(found, NoOption):
            message = f"{item} is no option: srun would take it for the program to start"
            hint = "write options as on the command line: --name=value, or --name and its value"
            yield finding(target, "MN305", field, message, hint=hint)
        elif isinstance(found, NoValue):
            refused = list(_option(target, Option(found.name, None, found.index), {}))  # with a value too
            yield from refused
            if refused:
                continue
            message = f"{item} lacks its value: srun would take the next word of the job's line for it"
            yield finding(target, "MN305", field, message, hint=f"write one item, {found.name}=VALUE")
        elif isinstance(found, Refused):
            yield finding(target, "MN305", field, f"{item} {found.what}", hint=found.hint)
        else:
            yield from _option(target, found, first)


def _option(target: Target, option: Option, first: dict[str, int]) -> Iterator[Diagnostic]:
    field, given = f"slurm.srun_args.{option.index}", f"slurm.srun_args gives {option.name}"
    owner = decided_by(target, option)
    why, moved = _BROKEN.get(option.name, ("", ""))
    if owner is not None:
        hint = "remove it" if owner.startswith("slurm.extra") else f"remove it and set {owner}"
        yield finding(target, "MN305", field, f"{given}, which {owner} decides", hint=hint, other=(owner,))
    elif why:
        yield finding(
            target, "MN305", field, f"{given}, {why}", hint=f"remove it and set {moved}" if moved else "remove it"
        )
    elif (option.name, option.value) in _LISTING:
        message = f"{given}={option.value}, with which nothing runs"
        yield finding(target, "MN305", field, message, hint="remove it")
    elif option.name.startswith(("--container-", "--no-container-")):
        hint = "write it in container.options, with runtime: pyxis"
        yield finding(target, "MN305", field, f"{given}, an option of pyxis", hint=hint, other=("runtime",))
    elif option.name in first and option.name in VALUED | OPTIONAL:
        message = f"{given} twice (items {first[option.name]} and {option.index}); the last one counts"
        yield finding(
            target, "MN305", field, message, hint="keep one", other=(f"slurm.srun_args.{first[option.name]}",)
        )
    first.setdefault(option.name, option.index)
