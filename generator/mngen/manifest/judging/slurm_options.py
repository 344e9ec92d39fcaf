"""sbatch's options as rules need them: short forms, flags, and the typed field that sets each."""

from __future__ import annotations

import re

from mngen.manifest.judging.words import Option, read_options
from mngen.manifest.model import Target

# sbatch(1), OPTIONS; letters of Slurm 20.11 to 26.05.
SHORTS = {
    "-A": "--account",
    "-a": "--array",
    "-b": "--begin",
    "-C": "--constraint",
    "-c": "--cpus-per-task",
    "-D": "--chdir",
    "-d": "--dependency",
    "-e": "--error",
    "-F": "--nodefile",
    "-G": "--gpus",
    "-H": "--hold",
    "-i": "--input",
    "-J": "--job-name",
    "-k": "--no-kill",
    "-L": "--licenses",
    "-M": "--clusters",
    "-m": "--distribution",
    "-N": "--nodes",
    "-n": "--ntasks",
    "-O": "--overcommit",
    "-o": "--output",
    "-p": "--partition",
    "-q": "--qos",
    "-S": "--core-spec",
    "-s": "--oversubscribe",
    "-t": "--time",
    "-W": "--wait",
    "-w": "--nodelist",
    "-x": "--exclude",
}
FLAGS = frozenset(
    {
        "--bell",
        "--contiguous",
        "--exclusive",
        "--hold",
        "--ignore-pbs",
        "--no-kill",
        "--no-requeue",
        "--overcommit",
        "--oversubscribe",
        "--parsable",
        "--quiet",
        "--requeue",
        "--reboot",
        "--spread-job",
        "--stepmgr",
        "--test-only",
        "--use-min-nodes",
        "--verbose",
        "--wait",
    }
)
"""Options that stand alone, of which some may have a value behind ``=``: ``--exclusive=user``."""
OPTIONAL = frozenset({"--get-user-env", "--nice", "--propagate"})
"""Options whose value may be left out."""

TYPED = {
    "account": "--account",
    "array": "--array",
    "begin": "--begin",
    "chdir": "--chdir",
    "comment": "--comment",
    "constraint": "--constraint",
    "core_spec": "--core-spec",
    "cores_per_socket": "--cores-per-socket",
    "deadline": "--deadline",
    "dependency": "--dependency",
    "distribution": "--distribution",
    "exclude": "--exclude",
    "exclusive": "--exclusive",
    "export": "--export",
    "hint": "--hint",
    "job_name": "--job-name",
    "kill_on_invalid_dep": "--kill-on-invalid-dep",
    "licenses": "--licenses",
    "mail_type": "--mail-type",
    "mail_user": "--mail-user",
    "mem_bind": "--mem-bind",
    "nice": "--nice",
    "no_kill": "--no-kill",
    "nodelist": "--nodelist",
    "open_mode": "--open-mode",
    "oversubscribe": "--oversubscribe",
    "partition": "--partition",
    "priority": "--priority",
    "qos": "--qos",
    "requeue": "--requeue",
    "reservation": "--reservation",
    "segment": "--segment",
    "sockets_per_node": "--sockets-per-node",
    "switches": "--switches",
    "thread_spec": "--thread-spec",
    "threads_per_core": "--threads-per-core",
    "time": "--time",
    "time_min": "--time-min",
    "tmp": "--tmp",
    "wait_all_nodes": "--wait-all-nodes",
    "wckey": "--wckey",
}
_ALIASES = {"--no-requeue": "--requeue", "--share": "--oversubscribe", "--workdir": "--chdir"}
# Options that sbatch has and no typed field sets; with TYPED they resolve getopt_long's abbreviations.
_OTHERS = (
    "--acctg-freq",
    "--batch",
    "--bb",
    "--bbf",
    "--bell",
    "--clusters",
    "--cluster-constraint",
    "--container",
    "--contiguous",
    "--cpu-freq",
    "--cpus-per-gpu",
    "--cpus-per-task",
    "--delay-boot",
    "--error",
    "--exclusive",
    "--export-file",
    "--extra",
    "--extra-node-info",
    "--get-user-env",
    "--gid",
    "--gpu-bind",
    "--gpu-freq",
    "--gpus",
    "--gpus-per-node",
    "--gpus-per-socket",
    "--gpus-per-task",
    "--gres",
    "--gres-flags",
    "--hold",
    "--ignore-pbs",
    "--input",
    "--mcs-label",
    "--mem",
    "--mem-per-cpu",
    "--mem-per-gpu",
    "--mincpus",
    "--network",
    "--no-requeue",
    "--nodefile",
    "--nodes",
    "--ntasks",
    "--ntasks-per-core",
    "--ntasks-per-gpu",
    "--ntasks-per-node",
    "--ntasks-per-socket",
    "--output",
    "--overcommit",
    "--parsable",
    "--power",
    "--prefer",
    "--profile",
    "--propagate",
    "--quiet",
    "--reboot",
    "--signal",
    "--spread-job",
    "--stepmgr",
    "--tasks-per-node",
    "--test-only",
    "--time-min",
    "--tres-bind",
    "--tres-per-task",
    "--uid",
    "--use-min-nodes",
    "--verbose",
    "--wait",
    "--wrap",
)
KNOWN = frozenset({*TYPED.values(), *_OTHERS, *_ALIASES})


def full_name(option: str) -> str:
    """Return an option's own name for an abbreviation that sbatch would take (``--part`` of ``--partition``)."""
    if option in KNOWN or not option.startswith("--"):
        return option
    matches = [name for name in KNOWN if name.startswith(option)]
    return matches[0] if len(matches) == 1 else option


def extra_options(target: Target) -> tuple[Option, ...]:
    """Return the options of ``slurm.extra`` by their full long names."""
    if not target.slurm.extra:
        return ()
    found = read_options(target.slurm.extra, SHORTS, FLAGS)
    return tuple(Option(full_name(option.name), option.value, option.index) for option in found)


def canonical(option: str) -> str:
    """Return the option that says the same thing for the purpose of clashes (``--requeue`` for ``--no-requeue``)."""
    return _ALIASES.get(option, option)


def raw_option(target: Target, name: str) -> Option | None:
    """Return the last option of ``slurm.extra`` that says this, which is the one that counts."""
    options = extra_options(target)
    return next((one for one in reversed(options) if canonical(one.name) == name), None) if options else None


def given(target: Target, field: str) -> str:
    """Return what a job has for a field of ``slurm``, typed or raw, in ``slurm.extra``; nothing when in neither."""
    typed = target.slurm.error if field == "error" else target.slurm.fields.get(field)
    if typed is not None:
        return str(typed)
    raw = raw_option(target, TYPED.get(field, f"--{field}"))
    return (raw.value or "") if raw else ""


def place(target: Target, field: str) -> str:
    """Return where a manifest has what ``given`` returns: the typed field, or the item of ``slurm.extra``."""
    typed = target.slurm.error if field == "error" else target.slurm.fields.get(field)
    raw = raw_option(target, TYPED.get(field, f"--{field}"))
    return f"slurm.extra.{raw.index}" if typed is None and raw else f"slurm.{field}"


def first_task(target: Target) -> str:
    """Return the number of an array's first task; none of a job that is no array, or of indices that are no numbers."""
    found = re.match("[0-9]+", given(target, "array"))
    return found[0] if found else ""


def directive_values(target: Target) -> dict[str, str]:
    """Return every typed directive that holds text, by its dotted field."""
    values = {f"slurm.{name}": value for name, value in target.slurm.fields.items() if isinstance(value, str)}
    named = {"slurm.output": target.slurm.output, "slurm.error": target.slurm.error}
    values.update({field: value for field, value in named.items() if value is not None})
    values["logs.dir"] = target.logs.dir
    request = target.slurm.gpu_request.type
    if request is not None:
        values["slurm.gpu_request.type"] = request
    return values
