"""The ``#SBATCH`` lines of a target, in the order in which people read them."""

from __future__ import annotations

import re

from mngen.launch.sizes import short, times
from mngen.manifest.judging.attempts import goes_on_in_log, requeued_by
from mngen.manifest.judging.slurm_options import given
from mngen.manifest.model import Target
from mngen.plan import Raw
from mngen.targets.slurm_options import OPTIONS, option, quoted

# What is asked for first, then where, then how long; the rest follows in the order of the option table.
_FIRST = ("partition", "account", "qos", "reservation", "time", "time_min")


def _memory(target: Target) -> list[str]:
    memory = target.resources.memory
    if memory is None:
        return []
    if memory.per_cpu is not None:
        return [f"--mem-per-cpu={short(memory.per_cpu)}"]
    if memory.per_gpu is not None:
        if target.slurm.gpu_request.form != "none":
            return [f"--mem-per-gpu={short(memory.per_gpu)}"]
        # sbatch refuses an amount for each GPU from a job that asks for none ("did not request any GPU").
        return [f"--mem={times(memory.per_gpu, target.resources.gpus)}"]
    return [f"--mem={short(memory.per_node or '0')}"]


def _gpus(target: Target) -> list[str]:
    count, request = target.resources.gpus, target.slurm.gpu_request
    if not count or request.form == "none":
        return []
    what = f"{request.type}:{count}" if request.type else str(count)
    return [f"--gres=gpu:{what}" if request.form == "gres" else f"--gpus-per-node={what}"]


def directives_output(target: Target) -> Raw:
    """The pattern of the job's output file."""
    pattern = "%x-%A_%a" if given(target, "array") else "%x-%j"
    return Raw(target.slurm.output or f"{target.logs.dir}/{pattern}.out")


def _output(target: Target) -> list[str]:
    fields = target.slurm
    lines = [f"--output={directives_output(target)}"]
    if fields.error:
        lines.append(f"--error={fields.error}")
    if goes_on_in_log(target):
        lines.append("--open-mode=append")
    return lines


def directives(target: Target) -> tuple[Raw, ...]:
    """Every option of the job, one a line, without ``#SBATCH``."""
    fields = {name: value for name, value in target.slurm.fields.items() if name not in {"output", "error"}}
    if requeued_by(target):
        fields.setdefault("requeue", True)
    lines: list[str | None] = [f"--job-name={fields.pop('job_name', target.workload)}"]
    lines += [option(name, fields.pop(name)) for name in _FIRST if name in fields]
    lines += [f"--nodes={target.resources.nodes}", "--ntasks-per-node=1"]
    lines += _gpus(target)
    if target.resources.cpus:
        lines.append(f"--cpus-per-task={target.resources.cpus}")
    lines += _memory(target)
    lines += [option(name, fields[name]) for name in OPTIONS if name in fields]
    if target.on_time_limit:
        # The batch shell is warned; it passes the manifest's own signal to the driver alone.
        lines.append(f"--signal=B:USR1@{target.on_time_limit.before}")
    lines += _output(target)
    if target.on_node_loss == "continue" and "no_kill" not in fields:
        lines.append("--no-kill")
    return (*(Raw(quoted(line)) for line in lines if line), *_extra(target.slurm.extra))


def _in_quotes(item: str) -> str:
    """An item ``--name=value`` whose value has a blank, at which sbatch would stop reading; others as they are."""
    name, equals, value = item.partition("=")
    bare = (
        equals
        and " " not in name.strip()
        and re.search(r"\s", value.strip())
        and not re.search(r"\s-", value)
        and not set(value) & set("'\"\\\\")
    )
    return quoted(item.strip()) if bare else item


def _extra(items: tuple[str, ...]) -> list[Raw]:
    """Raw options as they are; an item that is no option is the value of the one before it."""
    out: list[str] = []
    for item in items:
        if out and not item.startswith("-"):
            out[-1] += f" {quoted(item)}"
        else:
            out.append(_in_quotes(item))
    return [Raw(line) for line in out]
