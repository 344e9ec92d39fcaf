"""Which field decides what an option of the job's own ``srun`` asks for."""

from __future__ import annotations

import re

from mngen.manifest.judging.slurm_options import raw_option
from mngen.manifest.judging.words import Option
from mngen.manifest.model import Target

_ALWAYS = {
    "--nodes": "resources.nodes",
    "--ntasks": "resources.nodes",
    "--ntasks-per-node": "resources.nodes",
    "--ntasks-per-gpu": "resources.nodes",
    "--tasks-per-node": "resources.nodes",
    "--cpus-per-task": "resources.cpus",
    "--cpus-per-gpu": "resources.cpus",
    "--no-kill": "on_node_loss",
    "--kill-on-bad-exit": "on_node_loss",
    "--signal": "on_time_limit",
}
"""Options that the step has, or that Slurm refuses beside those."""
_GPUS = frozenset({"--gpus", "--gpus-per-node", "--gpus-per-socket", "--gpus-per-task"})
_MEMORY = ("--mem", "--mem-per-cpu", "--mem-per-gpu")
_OF_GPUS = r"(?:^|[,/]|gres:)(?:gpu\b|none$)"
_OF_CPUS = re.compile(r"(?:^|,)cpu\b")
_NOTHING = re.compile(r"0+[KMGTkmgt]?[Bb]?")


def decided_by(target: Target, option: Option) -> str | None:
    """Return the field; none where the manifest says nothing of it, or what it asks for is what a step has anyway."""
    value = option.value or ""
    if option.name == "--tres-per-task" and _OF_CPUS.search(value):
        return "resources.cpus"
    if option.name in _GPUS or (option.name in {"--gres", "--tres-per-task"} and re.search(_OF_GPUS, value)):
        # Without an option for GPUs the job has those of its partition, and the step may have to ask for them.
        return "resources.gpus" if target.slurm.gpu_request.form != "none" else None
    if option.name in _MEMORY and not _NOTHING.fullmatch(value):  # none is all of the job's (srun(1), --mem)
        return _memory(target)
    return _ALWAYS.get(option.name)


def _memory(target: Target) -> str | None:
    if target.resources.memory is not None:
        return "resources.memory"
    raw = next((raw for name in _MEMORY if (raw := raw_option(target, name)) is not None), None)
    return None if raw is None else f"slurm.extra.{raw.index}"
