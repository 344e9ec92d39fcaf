"""``--export``: once, and never so that the job loses its environment."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.slurm_options import extra_options
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse several exports, an export that drops PATH, and NONE beside secrets from the submitting shell."""
    if target.kind != "slurm":
        return
    exports = [(f"slurm.extra.{o.index}", o.value or "") for o in extra_options(target) if o.name == "--export"]
    typed = target.slurm.fields.get("export")
    if isinstance(typed, str):
        exports.insert(0, ("slurm.export", typed))
    if len(exports) > 1:
        yield finding(
            target,
            "MN237",
            exports[1][0],
            f"--export is given {len(exports)} times; they do not add up, only the last counts",
            hint="keep one; variables of the job belong to env",
            other=(exports[0][0],),
        )
    for field, value in exports:
        yield from _check_value(target, field, value)


def _check_value(target: Target, field: str, value: str) -> Iterator[Diagnostic]:
    word = value.partition(",")[0].upper()
    if word not in {"ALL", "NONE", "NIL"}:
        yield finding(
            target,
            "MN238",
            field,
            f"{field} is {value!r}, which drops everything else, PATH included: programs are then not found",
            hint="move the variables to env, which reaches every process as it is; or begin with ALL",
        )
    elif word in {"NONE", "NIL"}:
        names = [s.name for s in target.secrets if s.file is None and s.required]
        if names:
            yield finding(
                target,
                "MN239",
                field,
                f"{field} is {value}, so {', '.join(names)} of the submitting shell cannot reach the job",
                hint="give the secret a file: that the node reads, or export: ALL",
                other=("secrets",),
            )
    if "=" in value and word == "ALL":
        yield warning(
            target,
            "MN238",
            field,
            f"{field} sets variables; Slurm splits their values at commas",
            hint="move them to env",
        )
