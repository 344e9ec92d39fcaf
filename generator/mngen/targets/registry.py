"""Which module plans which kind; other packages add theirs by the entry-point group ``mngen.targets``."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from msgspec.structs import replace

from mngen.diagnostics import Diagnostic
from mngen.images import plan as plan_images
from mngen.manifest.model import Manifest
from mngen.manifest.said import bracketed
from mngen.plan import Plan, PlannedFile
from mngen.targets import foreign, mirroring
from mngen.targets.base import TargetModule
from mngen.targets.readme import readme

KINDS = {
    "slurm": "mngen.targets.slurm",
    "skypilot": "mngen.targets.skypilot",
    "dstack": "mngen.targets.dstack",
    "manual": "mngen.targets.manual",
}
"""Built-in kinds; a module is imported when a manifest uses its kind. No other package can replace one."""


def others() -> dict[str, str]:
    """Return the kinds that other installed packages bring, each with its package and version; none is loaded."""
    return {
        kind: ", ".join(f"{point.dist.name} {point.dist.version}" if point.dist else point.value for point in found)
        for kind, found in foreign.points().items()
        if kind not in KINDS
    }


def module(kind: str) -> TargetModule:
    """Return the module of a kind.

    Raises EnvironmentFailure when another package's module cannot be used, KeyError when there is none.
    """
    if kind in KINDS:
        return cast("TargetModule", import_module(KINDS[kind]))
    return foreign.load(kind)


def notes(manifest: Manifest) -> list[Diagnostic]:
    """Every target's remarks on fields that have no effect there; what holds for several is said once."""
    found: dict[Diagnostic, list[str]] = {}
    for target in manifest.targets:
        for note in module(target.kind).notes(target, manifest):
            found.setdefault(_of_any(note, target.name), []).append(target.name)
    return [*(_of(note, names) for note, names in found.items()), *mirroring.notes(manifest)]


_TARGET = "\0"
"""Stands for a target's name in a remark; no manifest can hold it."""


def _of_any(note: Diagnostic, name: str) -> Diagnostic:
    return bracketed(replace(note, message=note.message.replace(f" on target {name}:", f" on {_TARGET}:", 1)))


def _of(note: Diagnostic, names: list[str]) -> Diagnostic:
    word = "target" if len(names) == 1 else "targets"
    return replace(note, message=note.message.replace(_TARGET, f"{word} {', '.join(names)}", 1))


def plan(manifest: Manifest, *, partial: bool = False) -> Plan:
    """Describe every file of a manifest; ``partial`` leaves out what belongs to all targets together."""
    manifest = mirroring.mirrored(manifest)
    files: list[PlannedFile] = []
    groups = [target.name for target in manifest.targets]
    for target in manifest.targets:
        files += module(target.kind).plan(target, manifest)
    if not partial:
        files += plan_images(manifest)
        usage = {t.name: module(t.kind).usage(t, manifest) for t in manifest.targets}
        files.append(readme(manifest, usage))
        groups += ["images", ""]
    return Plan(name=manifest.name, files=tuple(files), groups=tuple(groups))
