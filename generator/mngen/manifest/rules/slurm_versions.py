"""Options that the named Slurm does not have yet."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import by_option, covered
from mngen.manifest.judging.finding import finding, graded, warning
from mngen.manifest.judging.slurm_options import TYPED, extra_options
from mngen.manifest.model import Target
from mngen.manifest.versions import parse_version


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse options newer than ``slurm.version``; warn about a version outside of the table."""
    text = target.slurm.version
    if target.kind != "slurm" or text is None:
        return
    version = parse_version(text)
    if version is None or version not in covered("slurm"):
        yield warning(
            target,
            "MN241",
            "slurm.version",
            f"slurm.version {text!r} is outside of what mngen's capability table covers ({covered('slurm')})",
            hint="write what `sinfo --version` prints, such as 24.11, or leave it out",
        )
        return
    table = by_option("slurm")
    for option, field, value in _given(target):
        row = table.get(option) or table.get(f"{option}={value}")
        if row is not None and version not in row.versions:
            yield graded(
                row.severity,
                finding(
                    target,
                    "MN242",
                    field,
                    f"{field} needs Slurm {row.versions}, but slurm.version is {text}",
                    hint="remove it, or correct slurm.version",
                    other=("slurm.version",),
                ),
            )


def _given(target: Target) -> Iterator[tuple[str, str, str]]:
    for name, value in target.slurm.fields.items():
        if name in TYPED and value is not False:
            yield TYPED[name].removeprefix("--"), f"slurm.{name}", str(value)
    for option in extra_options(target):
        yield option.name.removeprefix("--"), f"slurm.extra.{option.index}", option.value or ""
