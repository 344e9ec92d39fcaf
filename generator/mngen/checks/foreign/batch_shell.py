"""What the shell of a batch script puts in the place of a task's own variables before ``srun`` starts the tasks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Found
from mngen.checks.foreign.expansion import without_single_quoted
from mngen.checks.foreign.script import Script, variables
from mngen.checks.foreign.words import Assign, Command, Word

_OF_A_TASK = re.compile(r"(?<!\\)\$\{?(SLURM_(?:PROCID|NODEID|LOCALID))\b")
"""Set in the batch script too, where all are 0: https://slurm.schedmd.com/sbatch.html, OUTPUT ENVIRONMENT VARIABLES."""
_ELSEWHERE = ("srun", "ssh", "mpirun", "mpiexec", "pdsh", "clush")
_LAUNCHERS = (
    ("accelerate launch", re.compile(r"\baccelerate(?:\.commands\.launch\b|\s+launch\b)"), "--machine_rank"),
    ("torchrun", re.compile(r"\btorchrun\b|\btorch\.distributed\.(?:run|launch)\b"), "--node_rank"),
    ("deepspeed", re.compile(r"\bdeepspeed\s"), "--node_rank"),
)
"""Launchers of one node's processes, and the option by which each is told the node's number."""


def batch_shell(scripts: Iterable[Script]) -> Iterator[Found]:
    """Yield the variables of a task among the words that a script gives to srun, and in what it exports before."""
    for script in scripts:
        steps = [call for call in script.called("srun") if not call.under(*_ELSEWHERE) and not _is_first(call)]
        own = {assign.name for assign in script.assigns} | set(_counted(script))
        lines = set()
        for name, line in (*_in_words(steps), *_in_assignments(script, steps)):
            if name not in own and line not in lines:
                lines.add(line)
                yield Found(
                    line,
                    f"`${name}` is expanded on the batch host, so every task gets the same value",
                    f"leave it to each task's shell, in single quotes: srun bash -c '{_told(script.text, name)} …'",
                )


def _told(text: str, name: str) -> str:
    """Return how the launcher that a script uses is told the variable."""
    for launcher, named, option in _LAUNCHERS:
        if named.search(text):
            return f'{launcher} {option}="${name}"'
    return f'export RANK="${name}"; exec'


def _in_words(steps: Iterable[Call]) -> Iterator[tuple[str, int]]:
    for step in steps:
        for word in _started(step):
            if name := _early(word):
                yield name, word.line


def _started(step: Call) -> Iterator[Word]:
    """Yield the words of what a step starts, and what is set for it; a script in quotes is another's to judge."""
    yield from (assign.value for assign in step.command.assigns if not assign.alone)
    count = len(step.options.operands)
    for before, word in pairwise((None, *step.words[: len(step.words) - count])):
        if word is not None and (word.text.startswith("--export=") or (before and before.text == "--export")):
            yield word
    for word in step.words[-count:] if count else ():
        if word in step.command.words and "\n" not in word.text and " " not in word.text:
            yield word


def _in_assignments(script: Script, steps: list[Call]) -> Iterator[tuple[str, int]]:
    """Yield the assignments whose value a later step gets, as a word or in its environment."""
    for command in script.top:
        if command.function or command.branches:
            continue  # a task may run this part, where the script starts itself
        for assign in (item for item in command.assigns if item.alone):
            later = [step for step in steps if step.line > command.line]
            name = _early(assign.value)
            if name and any(_gets(step, assign, script) for step in later):
                yield name, assign.line


def _gets(step: Call, assign: Assign, script: Script) -> bool:
    return assign.exported or _is_exported(script, assign.name) or assign.name in _read(step.command)


def _is_exported(script: Script, name: str) -> bool:
    return any(name in call.texts for call in script.called("export"))


def _read(command: Command) -> set[str]:
    return {name for word in command.words for name in variables(without_single_quoted(word.raw))}


def _early(word: Word) -> str:
    """Name the variable of a task that is expanded in a word, if one is."""
    match = _OF_A_TASK.search(without_single_quoted(word.raw))
    return match.group(1) if match else ""


def _is_first(step: Call) -> bool:
    """Tell whether a step is one task, whose numbers are those of the batch script."""
    return step.options.value("--ntasks") == "1" and not step.command.loops


def _counted(script: Script) -> Iterator[str]:
    """Yield the names that a loop of the script gives values to."""
    for command in script.commands:
        if command.name in {"for", "select", "read"}:
            yield from re.findall(r"\bSLURM_\w+", " ".join(command.args))
