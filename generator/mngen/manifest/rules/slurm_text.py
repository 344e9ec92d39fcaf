"""Text of directives that sbatch reads otherwise than it looks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.slurm_options import directive_values
from mngen.manifest.model import Target

_SEPARATOR = re.compile(r"hetjob|packjob", re.IGNORECASE)  # strcasestr in sbatch's _get_argument
_PATHS = frozenset({"slurm.output", "slurm.error", "slurm.chdir", "logs.dir"})


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse ``$``, ``~``, line breaks and job separators in directives; they are text, no shell reads them."""
    if target.kind != "slurm":
        return
    values = directive_values(target)
    values.setdefault("name", target.workload)
    values.update({f"slurm.extra.{index}": word for index, word in enumerate(target.slurm.extra)})
    for field, value in values.items():
        yield from _check_value(target, field, value)


def _check_value(target: Target, field: str, value: str) -> Iterator[Diagnostic]:
    if field.startswith("slurm.extra.") and re.search(r"(?<!\\)#", value.removeprefix("#SBATCH")):
        message = f"{field} is {value!r}: sbatch takes an unquoted # for the beginning of a comment"
        yield finding(target, "MN232", field, message, hint="write \\# (as pyxis does in image names)")
    if _SEPARATOR.search(value):
        yield finding(
            target,
            "MN233",
            field,
            f"{field} holds the word {_SEPARATOR.findall(value)[0]!r}; sbatch takes a directive with it for the "
            "separator of a heterogeneous job",
            hint="choose another text",
        )
    if "$" in value or "`" in value:
        yield finding(
            target,
            "MN234",
            field,
            f"{field} is {value!r}: directives are not read by a shell, so Slurm would take the $ literally",
            hint="write the value itself, or use ${{ vars.NAME }}; in names of files, Slurm fills in %j, %x and %u",
        )
    elif value.startswith("~") or (field in _PATHS and "~" in value) or "=~" in value:
        yield finding(
            target,
            "MN234",
            field,
            f"{field} is {value!r}: nothing expands the ~, so Slurm would use a folder of that name",
            hint="write the path in full, or one relative to the folder of sbatch",
        )
