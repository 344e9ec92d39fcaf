"""Slurm's list of nodes is taken apart at its commas, of which some stand in brackets.

The list is a hostlist expression, ``node[01-02,05]``; ``scontrol show hostnames`` writes it out
(https://slurm.schedmd.com/scontrol.html, show hostnames).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.expansion import plain_name, without_single_quoted
from mngen.checks.foreign.job_nodes import nodes_of_job
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command, Word
from mngen.diagnostics import Severity

_LISTS = frozenset({"SLURM_JOB_NODELIST", "SLURM_NODELIST", "SLURM_STEP_NODELIST"})
_CUT = re.compile(r"\$\{(\w+)(?:%%?,[^}]*|##?\*,|//?\\?,(?:/[^}]*)?)\}")
"""What cuts at a comma, or puts something else in its place."""
_SPLITTERS = {
    "cut": re.compile(r"(?:^|\s)(?:-d\s?|--delimiter[= ]),(?:\s|$)"),
    "tr": re.compile(r"^(?:,|',') \S?"),
    "sed": re.compile(r"s(.),\1.*\1|s(.),\.\*\2"),
    "awk": re.compile(r"(?:^|\s)-F\s?,"),
    "gawk": re.compile(r"(?:^|\s)-F\s?,"),
}
_PRINTING = frozenset({"echo", "printf"})


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if nodes_of_job(script) == 1:
            continue
        lists = _lists(script)
        said: set[int] = set()
        for line, what in (*_by_expansion(script, lists), *_by_programs(script, lists)):
            if line not in said:
                said.add(line)
                yield Found(
                    line,
                    f"{what} cuts the list of nodes at a comma, which may stand in brackets: of `node[01,03]` it "
                    "makes `node[01`, which is no host",
                    'let Slurm write the list out: scontrol show hostnames "$SLURM_JOB_NODELIST"',
                )


def _lists(script: Script) -> frozenset[str]:
    """Name the variables that hold such a list as Slurm gives it."""
    own = {assign.name for assign in script.assigns}
    handed = {
        assign.name
        for assign in script.assigns
        if plain_name(assign.value.text) in _LISTS - own and not (assign.append or assign.element)
    }
    several = {name for name in handed if len({a.value.text for a in script.assigns if a.name == name}) > 1}
    return (_LISTS - own) | (handed - several)


def _by_expansion(script: Script, lists: frozenset[str]) -> Iterator[tuple[int, str]]:
    for command in script.commands:
        for word in _words(command):
            for match in _CUT.finditer(without_single_quoted(word.raw)):
                if match.group(1) in lists:
                    yield word.line, f"`{match.group()}`"


def _words(command: Command) -> Iterator[Word]:
    for word in (*command.words, *(assign.value for assign in command.assigns)):
        yield from word.items or (word,)
    yield from (redirect.target for redirect in command.redirects)


def _by_programs(script: Script, lists: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield what gets the list through a pipe or a here-string, and parts it."""
    for place, command in enumerate(script.commands):
        given = any(item.operator == "<<<" and plain_name(item.target.text) in lists for item in command.redirects)
        before = script.commands[place - 1] if place else None
        piped = (
            before is not None and before.after == "|" and before.name in _PRINTING and before.origin == command.origin
        )
        if piped and before is not None:
            given = given or any(plain_name(text) in lists for text in before.args)
        if given and _splits(command):
            yield command.line, f"`{command.name}`"


def _prints_for(before: Command, command: Command) -> bool:
    return before.after == "|" and before.name in _PRINTING and before.origin == command.origin


def _splits(command: Command) -> bool:
    if command.name in {"read", "mapfile", "readarray"}:
        by_comma = any(assign.name == "IFS" and assign.value.text == "," for assign in command.assigns)
        return by_comma or command.args[:1] == ("-d,",)
    pattern = _SPLITTERS.get(command.name)
    return pattern is not None and pattern.search(" ".join(command.args)) is not None


RULE = Rule("MN925", Severity.ERROR, _check)
