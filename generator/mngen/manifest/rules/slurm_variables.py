"""Slurm's own variables in texts that run where Slurm has set none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging import shell_syntax
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.placed_texts import inline_scripts, scripts
from mngen.manifest.model import Runtime, Target
from mngen.manifest.text import Text, spelled

_READ = re.compile(r"\$(?:\{(?:[#!]|\w+\[)?(SLURM_\w+)([^\w])|(SLURM_\w+))")
"""A variable that is read, and what follows its name in braces: ``:-`` and the like expect it to be missing."""
_COMMENT = re.compile(r"(?:^|\s)#.*")


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about them: empty, ``rm -rf "/scratch/$SLURM_JOB_ID"`` deletes what other jobs need."""
    where = _without(target)
    if where is None:
        return
    of_env = {name for name, _ in target.env}
    texts = [(field, script.text) for field, script in scripts(target)]
    for field, text in (*texts, *inline_scripts(target)):
        if field == "host_setup" and target.kind == "slurm":
            continue
        for name in _unset(text, of_env):
            message = f"{field} reads ${name}, which is not set {where}"
            yield warning(target, "MN304", field, message, hint=_hint(target, name))


def _without(target: Target) -> str | None:
    """Return where the target's texts run without Slurm's variables, or ``None``."""
    if target.kind != "slurm":
        return f"on a target of kind {target.kind}"
    if target.runtime.is_engine:
        return f"in a container of {target.runtime.value}: nothing of the node's environment gets in by itself"
    if target.runtime is Runtime.APPTAINER and target.container.clean_env:
        return "in the container, since container.clean_env keeps the node's environment out"
    return None


def _unset(text: Text, known: set[str]) -> list[str]:
    """Return the variables that a text reads as if they were there, once each."""
    lines = [_COMMENT.sub("", line) for line in spelled(text).splitlines()]
    found: dict[str, bool] = {}
    for match in (match for line in lines for match in _READ.finditer(line)):
        name, behind = match[1] or match[3], match[2] or ""
        found[name] = found.get(name, True) and behind not in {":", "-", "+", "?", "="}
    set_here = {name for name in found if re.search(rf"\b{name}=", spelled(text))}
    return [name for name, bare in found.items() if bare and name not in known | set_here]


def _hint(target: Target, name: str) -> str:
    placeholder = shell_syntax.instead(f"${name}")
    if target.kind == "slurm" or "env." not in placeholder:
        return f"write {placeholder}"
    return f"keep the text to targets of kind slurm; or write ${{{name}:-}}, and what is to be done without it"
