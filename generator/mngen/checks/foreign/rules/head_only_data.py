"""Data that only the head prepares is missing on the other nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_WRITES = re.compile(r"^--(local_save_dir|local_dir|output_dir|save_dir)\b")
_TARGET = re.compile(r"--(?:local[-_]save[-_]dir|local[-_]dir|output[-_]dir|save[-_]dir|cache[-_]dir)")
_OF_THE_NODE = re.compile(r"/(?:tmp|var/tmp|dev/shm|run)(?:/|$)|\$\{?TMPDIR\b")
_FIRST_RANK = re.compile(r"\$\{?SLURM_(?:PROCID|NODEID)\b\S*\s+(?:==?|-eq)\s+[\"']?0\b")
"""Of all tasks one; SLURM_LOCALID is 0 on each node."""
_FETCHING = frozenset({"hf", "huggingface-cli", "python", "python3"})


def _check(document: Document) -> Iterator[Found]:
    nodes = document.get("nodes") or document.get("num_nodes")
    for script in document.scripts:
        if nodes is not None and nodes.text not in {None, "1"}:
            calls = (call for call in script.called("python", "python3") if call.command.branches)
            yield from (_found(call) for call in calls if any(_WRITES.match(text) for text in call.texts))
        elif script.directives and script.slurm.value("--nodes") not in {None, "1", "1-1"}:
            yield from (_found(call) for call in _of_first_rank(script))


def _of_first_rank(script: Script) -> Iterator[Call]:
    """Yield what the first task of a step alone writes to a disk of its node."""
    places = {id(command): place for place, command in enumerate(script.commands)}
    for call in script.called(*_FETCHING):
        asked = _asked(script.commands, places[id(call.command)]) if call.under("srun") else None
        text = " ".join(word.text for word in asked.words) if asked is not None else ""
        if _FIRST_RANK.search(text) and any(_OF_THE_NODE.match(path) for path in _targets(call)):
            yield call


def _asked(commands: Sequence[Command], place: int) -> Command | None:
    """Return the test on which a command depends: before its ``&&``, or that of the ``if`` around it."""
    if commands[place].before == "&&":
        return commands[place - 1]
    if not commands[place].branches:
        return None
    for number in range(place, -1, -1):
        if commands[number].role in {"if", "elif", "else"}:
            return None if commands[number].role == "else" else commands[number]
    return None


def _targets(call: Call) -> Iterator[str]:
    for before, text in pairwise(("", *call.texts)):
        name, given, value = text.partition("=")
        if given and _TARGET.fullmatch(name):
            yield value
        elif _TARGET.fullmatch(before):
            yield text


def _found(call: Call) -> Found:
    return Found(
        call.line,
        "only one rank runs this, and writes to its own disk: the other nodes do not have the data",
        "prepare it on every node, or on storage that all nodes mount",
    )


RULE = Rule("MN748", Severity.WARNING, _check)
