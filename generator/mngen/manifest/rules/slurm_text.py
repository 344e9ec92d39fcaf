"""Text of directives that sbatch reads otherwise than it looks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, note
from mngen.manifest.judging.slurm_options import directive_values, extra_options
from mngen.manifest.model import Target

_SEPARATOR = re.compile(r"hetjob|packjob", re.IGNORECASE)  # strcasestr in sbatch's _get_argument
_EXPANDS = re.compile(r"\$(?:[A-Za-z_]|\{[A-Za-z_]|\()|(?:^|=)~/")
_PATHS = frozenset({"slurm.output", "slurm.error", "slurm.chdir", "logs.dir"})


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse ``$``, ``~``, line breaks and job separators in directives; they are text, no shell reads them."""
    if target.kind != "slurm":
        return
    values = directive_values(target)
    values.setdefault("name", target.workload)
    values.update({f"slurm.extra.{index}": word for index, word in enumerate(target.slurm.extra)})
    comments = _comments(target)
    for field, value in values.items():
        yield from _of_directive(target, field, value)
        yield from (_comment if field in comments else _expanded)(target, field, value)


def _comments(target: Target) -> frozenset[str]:
    """Return the fields that hold text for people, which Slurm keeps and reads nothing from."""
    fields = {"slurm.comment"}
    for option in extra_options(target):
        if option.name == "--comment":
            behind = target.slurm.extra[option.index + 1 : option.index + 2] == (option.value,)
            fields.update(f"slurm.extra.{option.index + later}" for later in range(1 + behind))
    return frozenset(fields)


def _of_directive(target: Target, field: str, value: str) -> Iterator[Diagnostic]:
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


def _expanded(target: Target, field: str, value: str) -> Iterator[Diagnostic]:
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


def _comment(target: Target, field: str, value: str) -> Iterator[Diagnostic]:
    """Tell of what a shell would fill in; any other text is meant as it is: ``5$ an hour``."""
    found = _EXPANDS.search(value)
    if found is not None:
        message = f"{field} is {value!r}: directives are not read by a shell, so the comment keeps it as it is"
        yield note(target, "MN234", field, message, hint="right if it is meant so; else write the value itself")
