"""``slurm.srun_args`` against what the job's own ``srun`` has."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.slurm_options import FLAGS, SHORTS
from mngen.manifest.judging.words import read_options
from mngen.manifest.model import Target

_DECIDED = {
    "--nodes": "resources.nodes",
    "--ntasks": "resources.nodes",
    "--ntasks-per-node": "resources.nodes",
    "--tasks-per-node": "resources.nodes",
    "--cpus-per-task": "resources.cpus",
    "--no-kill": "on_node_loss",
    "--kill-on-bad-exit": "on_node_loss",
}
"""Options that a field decides."""

_BROKEN = {
    "--export": "with which nodes would not get what the batch shell found out for them",
    "--exclusive": "with which the step would wait for CPUs that the batch shell may hold",
    "--input": "with which nodes would not get the job file",
    "--output": "with which the log would not have what nodes say",
    "--error": "with which the log would not have what nodes say",
    "--overlap": "which it has already",
    "--pty": "which is for one task with a terminal",
    "--multi-prog": "with which srun would take the job file for a list of programs",
    "--jobid": "and the step is one of this job",
    "--het-group": "and the step is for all nodes of the job",
    "--wait": "with which srun would end a head whose workers are done",
    "--bcast": "and the job file reaches nodes by the step's input",
    "--test-only": "with which nothing runs",
}
"""Options with which the job would not work, and why."""

_OF_SRUN = {"-i": "--input", "-o": "--output", "-e": "--error", "-K": "--kill-on-bad-exit", "-W": "--wait"}
"""One-letter options that srun has and sbatch has not, or that mean the same in both."""
_FLAGS = FLAGS | {"--overlap", "--pty", "--multi-prog", "--no-kill", "--exclusive", "--label", "--unbuffered"}


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse what the job's own options say already, what breaks it, and what pyxis is told elsewhere."""
    if target.kind != "slurm":
        return
    words, used = target.slurm.srun_args, set[int]()
    for option in read_options(words, {**SHORTS, **_OF_SRUN}, _FLAGS):
        used.update({option.index, option.index + (option.value in words[option.index + 1 : option.index + 2])})
        field, given = f"slurm.srun_args.{option.index}", f"slurm.srun_args gives {option.name}"
        owner = _DECIDED.get(option.name)
        if owner is not None:
            message, hint = f"{given}, which {owner} decides", f"remove it and set {owner}"
            yield finding(target, "MN305", field, message, hint=hint, other=(owner,))
        elif option.name in _BROKEN:
            yield finding(target, "MN305", field, f"{given}, {_BROKEN[option.name]}", hint="remove it")
        elif option.name.startswith(("--container-", "--no-container-")):
            hint = "write it in container.options, with runtime: pyxis"
            yield finding(target, "MN305", field, f"{given}, an option of pyxis", hint=hint, other=("runtime",))
    for index in sorted({*range(len(words))} - used):
        message = f"slurm.srun_args item {words[index]!r} is no option: srun would take it for the program to start"
        hint = "write options as on the command line: --name=value, or --name and its value"
        yield finding(target, "MN305", f"slurm.srun_args.{index}", message, hint=hint)
