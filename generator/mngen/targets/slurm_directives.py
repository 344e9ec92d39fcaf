"""The ``#SBATCH`` lines of a target, in the order in which people read them."""

from __future__ import annotations

from mngen.launch.sizes import short
from mngen.manifest.model import Memory, Target
from mngen.plan import Raw

# What is asked for first, then where, then how long; the rest follows in the manifest's order.
_FIRST = ("partition", "account", "qos", "reservation", "time", "time_min")
_SWITCHES = {"exclusive", "oversubscribe", "no_kill", "contiguous", "spread_job"}


def _line(name: str, value: str | bool) -> str:
    option = name.replace("_", "-")
    if name == "requeue":
        return "--requeue" if value in {True, "true"} else "--no-requeue"
    if value is True or (name in _SWITCHES and value == "true"):
        return f"--{option}"
    return f"--{option}={_escape(str(value))}"


def _escape(value: str) -> str:
    """Quote a directive's value the way sbatch reads it: by words, with quotes and ``#`` as a comment.

    Source: ``_get_next_opt`` handling in Slurm's ``src/sbatch/opt.c``.
    """
    if any(char in value for char in " \t\"'#\\"):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return value


def _memory(memory: Memory | None) -> list[str]:
    if memory is None:
        return []
    if memory.per_cpu is not None:
        return [f"--mem-per-cpu={short(memory.per_cpu)}"]
    if memory.per_gpu is not None:
        return [f"--mem-per-gpu={short(memory.per_gpu)}"]
    return [f"--mem={short(memory.per_node or '0')}"]


def _gpus(target: Target) -> list[str]:
    count, request = target.resources.gpus, target.slurm.gpu_request
    if not count or request.form == "none":
        return []
    what = f"{request.type}:{count}" if request.type else str(count)
    return [f"--gres=gpu:{what}" if request.form == "gres" else f"--gpus-per-node={what}"]


def directives_output(target: Target) -> Raw:
    """The pattern of the job's output file."""
    pattern = "%x-%A_%a" if "array" in target.slurm.fields else "%x-%j"
    return Raw(_escape(target.slurm.output or f"{target.logs.dir}/{pattern}.out"))


def _output(target: Target) -> list[str]:
    fields = target.slurm
    lines = [f"--output={directives_output(target)}"]
    if fields.error:
        lines.append(f"--error={_escape(fields.error)}")
    # A requeued job goes on in the same file; it must not wipe the first attempt's log.
    if "open_mode" not in fields.fields and (fields.fields.get("requeue") or _requeues(target)):
        lines.append("--open-mode=append")
    return lines


def _requeues(target: Target) -> bool:
    return target.on_time_limit is not None and target.on_time_limit.then == "requeue"


def directives(target: Target) -> tuple[Raw, ...]:
    """Every option of the job, one a line, without ``#SBATCH``."""
    fields = dict(target.slurm.fields)
    name = str(fields.pop("job_name", target.workload))
    lines = [f"--job-name={_escape(name)}"]
    lines += [_line(key, fields.pop(key)) for key in _FIRST if key in fields]
    lines += [f"--nodes={target.resources.nodes}", "--ntasks-per-node=1"]
    lines += _gpus(target)
    if target.resources.cpus:
        lines.append(f"--cpus-per-task={target.resources.cpus}")
    lines += _memory(target.resources.memory)
    if _requeues(target) and "requeue" not in fields:
        fields["requeue"] = True
    lines += [_line(key, value) for key, value in fields.items()]
    if target.on_time_limit:
        # The batch shell is warned; it passes the manifest's own signal to the driver alone.
        lines.append(f"--signal=B:USR1@{target.on_time_limit.before}")
    lines += _output(target)
    lines += target.slurm.extra
    return tuple(Raw(line) for line in lines)
