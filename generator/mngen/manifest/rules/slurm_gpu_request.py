"""One way to ask Slurm for GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import capability, holds
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.slurm_options import extra_options
from mngen.manifest.judging.words import Option
from mngen.manifest.model import Target

_GPU_OPTIONS = frozenset({"--gpus", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket", "--gres"})


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a second GPU request in ``slurm.extra``, and GPUs that nothing asks for."""
    if target.kind != "slurm":
        return
    raw = [option for option in extra_options(target) if _asks(option)]
    form = target.slurm.gpu_request.form
    typed = target.resources.gpus > 0 and form != "none"
    for option in raw if typed else ():
        yield from _of_all_nodes(target, option) if option.name == "--gpus" else (_second(target, option, form),)
    if typed and form == "gres":
        yield from _other_gres(target)
    if len(raw) > 1 and not typed:
        names = " and ".join(option.name for option in raw)
        message = f"slurm.extra asks for GPUs twice: {names}; {capability('slurm-gres-gpu-with-gpus-per-node').holds}"
        yield finding(target, "MN230", f"slurm.extra.{raw[1].index}", message, hint="keep one of them")
    if raw and target.resources.gpus == 0:
        yield finding(
            target,
            "MN230",
            f"slurm.extra.{raw[0].index}",
            f"slurm.extra asks for GPUs ({raw[0].name}), but resources.gpus is 0, so Ray is told of none",
            hint="write resources: {gpus: N}; the site's spelling goes to slurm.gpu_request: {form: …, type: …}",
            other=("resources.gpus",),
        )
    if form == "none" and target.resources.gpus > 0 and not raw and "exclusive" not in target.slurm.fields:
        yield warning(
            target,
            "MN231",
            "slurm.gpu_request.form",
            f"resources.gpus is {target.resources.gpus}, but slurm.gpu_request.form is none and slurm.extra asks for "
            "no GPU either",
            hint="right where a partition or slurm.exclusive brings whole nodes; else name the request in slurm.extra",
            other=("resources.gpus",),
        )


def _other_gres(target: Target) -> Iterator[Diagnostic]:
    """Refuse a raw ``--gres`` of another kind: sbatch keeps the last one only, and the GPUs would be gone."""
    for option in extra_options(target):
        if option.name == "--gres" and not _asks(option):
            yield finding(
                target,
                "MN230",
                f"slurm.extra.{option.index}",
                "slurm.extra gives --gres, as slurm.gpu_request.form: gres does for the GPUs; only the last one counts",
                hint="write form: gpus-per-node, or form: none and both in one --gres here",
                other=("slurm.gpu_request.form",),
            )


def _asks(option: Option) -> bool:
    if option.name not in _GPU_OPTIONS:
        return False
    items = [item.removeprefix("gres:").removeprefix("gres/") for item in (option.value or "").split(",")]
    return option.name != "--gres" or any(item.partition(":")[0] == "gpu" for item in items)


def _of_all_nodes(target: Target, option: Option) -> Iterator[Diagnostic]:
    """Refuse a number for the whole job that is not what its nodes have.

    Slurm takes both numbers when one is the other times the nodes: src/interfaces/gres.c, "is not multiple of" and
    "doesn't fall between min_nodes (%u) and max_nodes (%u) boundaries".
    """
    total, kind = str(target.resources.total_gpus), target.slurm.gpu_request.type
    same = f"{kind}:{total}" if kind else total  # another type is another request
    if option.value == same:
        return
    yield finding(
        target,
        "MN230",
        f"slurm.extra.{option.index}",
        f"slurm.extra gives --gpus={option.value}, but all nodes together are asked for {same}; Slurm wants them equal",
        hint="remove it: resources asks for the GPUs of each node",
        other=("resources.gpus", "resources.nodes"),
    )


def _second(target: Target, option: Option, form: str) -> Diagnostic:
    directive = "--gres=gpu" if form == "gres" else "--gpus-per-node"
    fatal = holds("slurm-gres-gpu-with-gpus-per-node", target.slurm.version)
    reason = "Slurm 26.05 stops on it" if fatal is not False else "older releases take one of them and ignore the other"
    return finding(
        target,
        "MN230",
        f"slurm.extra.{option.index}",
        f"slurm.extra gives {option.name}, while resources.gpus is written as {directive}: {reason}",
        hint="remove it; slurm.gpu_request: {form: gres, type: TEXT} spells the request as the site wants it, "
        "form: none leaves it to slurm.extra",
        other=("resources.gpus", "slurm.gpu_request"),
    )
