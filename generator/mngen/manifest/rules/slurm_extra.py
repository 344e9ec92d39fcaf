"""``slurm.extra`` against the typed fields: one option, one place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.attempts import goes_on_in_log, requeued_by
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.slurm_options import FLAGS, KNOWN, OPTIONAL, TYPED, canonical, extra_options
from mngen.manifest.judging.words import Option
from mngen.manifest.model import Target
from mngen.manifest.slurm_signal import time_signal

# Options that every job file has, or that have no meaning in one.
_ALWAYS = {
    "--nodes": "resources.nodes",
    "--ntasks": "the launch script, which starts one task a node,",
    "--ntasks-per-node": "the launch script, which starts one task a node,",
    "--tasks-per-node": "the launch script, which starts one task a node,",
    "--wrap": "the job file itself",
    "--parsable": "submit.sh",
    "--export-file": "secrets and env",
}

_FIELDS = {"--open-mode": "open_mode", "--no-kill": "no_kill"}
"""Options that the job file has unless the typed field says something else."""

_ELSEWHERE = {
    "--clusters": (
        "which submit.sh and attach.sh do not know of: they would speak of a job of this cluster",
        "remove it and run submit.sh where that cluster is the own one, or `sbatch --clusters=NAME` with job.sbatch",
    ),
    "--batch": (
        "with which the job file may run on another node than the first, where the head is to be",
        "write slurm: {constraint: …}, which holds for every node",
    ),
    "--wait": (
        "with which submit.sh would say how to follow and stop the job when it has ended",
        "remove it, and run `sbatch --wait job.sbatch` where a script has to wait",
    ),
    **dict.fromkeys(
        ("--test-only", "--help", "--usage", "--version"),
        ("with which nothing is submitted", "remove it; `sbatch --test-only job.sbatch` tells when a job would start"),
    ),
}
"""Options that a job file cannot have, each with why and what to do."""

_SIGNALS = frozenset({"USR1", "USR2", "TERM", "INT", "HUP"})
"""Those that ``on_time_limit.signal`` takes."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse raw directives that a typed field or mngen also writes, and words that are no directive."""
    if target.kind != "slurm":
        return
    decided = _decided(target)
    first: dict[str, int] = {}
    used = set()
    for option in extra_options(target):
        used.update({option.index, option.index + (option.value == _word(target, option.index + 1))})
        name = canonical(option.name)
        field = f"slurm.extra.{option.index}"
        owner = decided.get(name)
        if owner is not None:
            yield finding(
                target,
                "MN228",
                field,
                f"slurm.extra gives {option.name}, which {owner} sets already",
                hint=_hint(option, name, owner),
                other=(owner,) if "." in owner else (),
            )
        elif name in first and name != "--gres":
            message = (
                f"slurm.extra gives {option.name} twice (items {first[name]} and {option.index}); the last one counts"
            )
            yield finding(target, "MN228", field, message, hint="keep one", other=(f"slurm.extra.{first[name]}",))
        elif name in _ELSEWHERE:
            why, hint = _ELSEWHERE[name]
            yield finding(target, "MN228", field, f"slurm.extra gives {option.name}, {why}", hint=hint)
        elif name == "--signal":
            yield _signal(target, option)
        first.setdefault(name, option.index)
        yield from _without_value(target, option)
    yield from _strays(target, used)


def _hint(option: Option, name: str, owner: str) -> str:
    if "." in owner:
        return f"keep one of the two; {owner} is checked and used elsewhere in the job too"
    if name not in _FIELDS:
        return "remove it"
    value = {None: "true", "off": "false"}.get(option.value, option.value)
    return f"remove it, or write slurm: {{{_FIELDS[name]}: {value}}} instead"


def _signal(target: Target, option: Option) -> Diagnostic:
    """Refuse a signal that the job file does not know of: bash ends at it, as it does at most signals."""
    asked = time_signal(option.value or "")
    known = asked is not None and asked.name in _SIGNALS
    wanted = f"signal: {asked.name}, before: {asked.before}" if asked is not None and known else "before: 300"
    return finding(
        target,
        "MN228",
        f"slurm.extra.{option.index}",
        f"slurm.extra gives --signal={option.value or ''}, which nothing in the job file waits for: its shells would "
        "end at the signal, and the job as failed, before its time limit",
        hint=f"write on_time_limit: {{{wanted}}} instead; it reaches the driver itself",
    )


def _word(target: Target, index: int) -> str | None:
    return target.slurm.extra[index] if index < len(target.slurm.extra) else None


def _without_value(target: Target, option: Option) -> Iterator[Diagnostic]:
    name = option.name
    if option.value is None and name in KNOWN and name not in FLAGS and name not in OPTIONAL:
        yield finding(
            target,
            "MN229",
            f"slurm.extra.{option.index}",
            f"slurm.extra gives {name} without its value, which sbatch wants on the same line",
            hint=f"write one item: {name}=VALUE",
        )


def _strays(target: Target, used: set[int]) -> Iterator[Diagnostic]:
    for index, word in enumerate(target.slurm.extra):
        if index not in used:
            yield finding(
                target,
                "MN229",
                f"slurm.extra.{index}",
                f"slurm.extra item {word!r} is no sbatch option; sbatch ends reading directives there",
                hint="write options as on the command line: --name=value, or -C and its value",
            )


def _decided(target: Target) -> Mapping[str, str]:
    decided = {TYPED[name]: f"slurm.{name}" for name in target.slurm.fields if name in TYPED}
    decided.update(_ALWAYS)
    decided["--job-name"] = "slurm.job_name" if "job_name" in target.slurm.fields else "name (see slurm.job_name)"
    decided["--output"] = "slurm.output" if target.slurm.output else "logs.dir"
    decided["--error"] = "slurm.error" if target.slurm.error else ""
    resources = target.resources
    if resources.cpus is not None:
        decided.update(dict.fromkeys(("--cpus-per-task", "--cpus-per-gpu"), "resources.cpus"))
    if resources.memory is not None:
        decided.update(dict.fromkeys(("--mem", "--mem-per-cpu", "--mem-per-gpu"), "resources.memory"))
    if target.on_time_limit is not None:
        decided["--signal"] = "on_time_limit.signal"
    for field in requeued_by(target):
        decided["--requeue"] = field
    if goes_on_in_log(target):
        decided["--open-mode"] = "the job file, whose next attempt goes on in the same log,"
    if target.on_node_loss == "continue":
        decided.setdefault("--no-kill", "on_node_loss")
    return {option: owner for option, owner in decided.items() if owner}
