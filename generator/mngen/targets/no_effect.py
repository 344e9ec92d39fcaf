"""Remarks of a target on fields that mean nothing there, or something else than elsewhere.

A manifest's top level holds for all of its targets, so such a field is no mistake; but nothing is dropped in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mngen.diagnostics import NOTHING_TO_DO, Diagnostic
from mngen.manifest.judging.finding import finding, note
from mngen.manifest.judging.ray_token import lists_token
from mngen.manifest.model import Target
from mngen.manifest.settings import FILE
from mngen.targets import document

_COMMON: Mapping[str, tuple[str, str]] = {
    "slurm": ("{system} has no Slurm directives", "its own settings go to raw"),
    "container": ("{system} starts the container itself", "its own settings go to raw"),
    "host_setup": ("the job has no part outside of its container", "what the image can do goes to setup"),
    "on_time_limit": ("{system} gives no warning before it stops a run", "let the driver save regularly"),
    "resume": (
        "{system} does not say which attempt of a run this is",
        "let the driver look for its last checkpoint (verl: trainer.resume_mode=auto)",
    ),
    "network.family": ("{system} chooses the nodes' addresses", "no change is needed: IPv4 and IPv6 both work"),
    "network.interface": ("{system} chooses the nodes' addresses", "NCCL_SOCKET_IFNAME in env chooses NCCL's"),
    "network.cidr": ("{system} chooses the nodes' addresses", NOTHING_TO_DO),
    "network.host_suffix": ("{system} chooses the nodes' addresses", NOTHING_TO_DO),
}


def said(target: Target, path: str) -> bool:
    """Whether the manifest has a field for this target, in whatever layer."""
    return path in target.spans


def no_effect(target: Target, path: str, why: str, hint: str) -> Diagnostic:
    """A field that means nothing on this kind of target."""
    place = target.span(path)
    if place is not None and place.file == FILE:
        hint = f"a setting is for all targets: `--set targets.NAME.{path}…` is for one of them alone"
    return note(target, "MN250", path, f"{path} has no effect on target {target.name}: {why}", hint=hint)


def otherwise(target: Target, path: str, what: str, hint: str) -> Diagnostic:
    """A field that works in a way of its own on this kind of target."""
    return note(target, "MN251", path, f"{path} on target {target.name}: {what}", hint=hint)


def refused(target: Target, path: str, why: str, hint: str, *other: str) -> Diagnostic:
    """A field that this kind of target cannot honour."""
    return finding(target, "MN252", path, f"{path} on target {target.name}: {why}", hint=hint, other=other)


def common(target: Target, system: str) -> Iterator[Diagnostic]:
    """Remark on what both systems have no use for."""
    for path, (why, hint) in _COMMON.items():
        if said(target, path) and not (path == "network.family" and target.network.family == "auto"):
            yield no_effect(target, path, why.format(system=system), hint)
    yield from logs(target)
    yield from _memory(target, system)
    yield from token(target, f"{system} starts all nodes at once")


def logs(target: Target) -> Iterator[Diagnostic]:
    """Remark on a log folder in which nothing is kept."""
    if said(target, "logs.dir") and not target.keeps_logs:
        why = "the run's own output stays with the launcher, and nothing else is kept"
        yield no_effect(target, "logs.dir", why, "logs.driver and logs.ray_session keep something there")


def outside(target: Target) -> Iterator[Diagnostic]:
    """Remark on what is of no use to drivers that are submitted from outside: the job itself runs none."""
    if target.driver.submit_from != "outside":
        return
    if said(target, "logs.driver"):
        why = "drivers that are submitted from outside write to Ray's own logs"
        yield no_effect(target, "logs.driver", why, "the submit script's `logs` shows them; `ray job logs` does, too")
    if said(target, "resume"):
        why = "drivers are submitted by hand, each time with what the script is given"
        yield no_effect(target, "resume", why, "give these arguments to the submit script")
    if target.kind == "slurm" and said(target, "on_time_limit"):
        what = "no driver of the job's own is there to be warned, and none is submitted again after a requeue"
        yield otherwise(target, "on_time_limit", what, "let drivers save regularly, and submit them again")


def _memory(target: Target, system: str) -> Iterator[Diagnostic]:
    memory = target.resources.memory
    if memory is not None and memory.per_node == "0":
        why = f"{system} chooses machines by what is asked for, and 0 asks for nothing"
        yield no_effect(target, "resources.memory", why, "write the size that the run needs, such as 64G+")


def token(target: Target, how: str) -> Iterator[Diagnostic]:
    """Refuse authentication without a token: nodes have no channel of their own to agree on one."""
    if target.ray.auth == "token" and not lists_token(target):
        why, hint = f"{how}, so a token must come from outside", "add RAY_AUTH_TOKEN to secrets"
        yield refused(target, "ray.auth", why, hint, "secrets")


def raw(target: Target, base: Mapping[str, Any], block: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Refuse what cannot be laid over the generated document: it would take away what the job needs."""
    for path, what in document.clashes(base, block):
        why = f"the generated file has a {what} there, to which another {what} can be added"
        yield refused(target, path, why, f"write a {what}")
