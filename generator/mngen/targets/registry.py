"""Which module plans which kind; other packages add theirs by the entry-point group ``mngen.targets``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from mngen.diagnostics import Diagnostic
from mngen.errors import EnvironmentFailure
from mngen.images import plan as plan_images
from mngen.manifest.model import Manifest
from mngen.plan import Plan, PlannedFile
from mngen.targets.base import TargetModule
from mngen.targets.readme import readme

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

KINDS = {
    "slurm": "mngen.targets.slurm",
    "skypilot": "mngen.targets.skypilot",
    "dstack": "mngen.targets.dstack",
    "manual": "mngen.targets.manual",
}
"""Built-in kinds; a module is imported when a manifest uses its kind."""

GROUP = "mngen.targets"
API = 1


def foreign() -> dict[str, EntryPoint]:
    """Kinds that other installed packages bring, by name."""
    # Here, not above: with its e-mail parser it takes longer to import than all targets, and few installations ask.
    from importlib.metadata import entry_points  # noqa: PLC0415

    return {point.name: point for point in entry_points(group=GROUP)}


def module(kind: str) -> TargetModule:
    """Return the module of a kind.

    Raises EnvironmentFailure when another package's module cannot be loaded or speaks another version
    of the interface, KeyError when there is none.
    """
    if kind in KINDS:
        return cast("TargetModule", import_module(KINDS[kind]))
    point = foreign()[kind]
    package = point.dist.name if point.dist else point.value
    try:
        found = cast("TargetModule", point.load())
    except Exception as error:
        message = f"the target kind {kind!r} of package {package} cannot be loaded: {error}"
        raise EnvironmentFailure(message, hint=f"update or remove the package {package}") from error
    if found.api != API:
        message = (
            f"the target kind {kind!r} of package {package} is for version {found.api} of the interface, this is {API}"
        )
        raise EnvironmentFailure(message, hint=f"update the package {package}")
    return found


def notes(manifest: Manifest) -> list[Diagnostic]:
    """Every target's remarks on fields that have no effect there."""
    return [note for target in manifest.targets for note in module(target.kind).notes(target, manifest)]


def plan(manifest: Manifest, *, partial: bool = False) -> Plan:
    """Describe every file of a manifest; ``partial`` leaves out what belongs to all targets together."""
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
