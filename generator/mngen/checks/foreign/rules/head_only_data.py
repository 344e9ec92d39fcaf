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
_OF_A_NODE = re.compile(r"\$\{?\w*(?:RANK|NODE|HEAD|MASTER)|\bhostname\b", re.IGNORECASE)
"""What tells the nodes from each other, such as SKYPILOT_SETUP_NODE_RANK."""
_TESTS = frozenset({"[", "[[", "test"})
_FILE = re.compile(r"-[defhLrswx]")
_COMPARISON = re.compile(r"[=!]?=|=~|[<>]|-(?:eq|ne|[lg][te]|n|z)")
"""What a test has beside files: conditional expressions of bash(1)."""


def _check(document: Document) -> Iterator[Found]:
    nodes = document.get("nodes") or document.get("num_nodes")
    for script in document.scripts:
        if nodes is not None and nodes.text not in {None, "1"}:
            yield from (_found(call) for call in _in_branches(script))
        elif script.directives and script.slurm.value("--nodes") not in {None, "1", "1-1"}:
            yield from (_found(call) for call in _of_first_rank(script))


def _in_branches(script: Script) -> Iterator[Call]:
    """Yield what writes data in a branch that may be one node's.

    SkyPilot runs ``setup`` on all nodes, and tells each its rank in a variable
    (https://docs.skypilot.co/en/latest/running-jobs/environment-variables.html, Environment variables for setup), so
    that there only a branch that asks for the node is. Elsewhere any is but one that looks for files alone.
    """
    places = {id(command): place for place, command in enumerate(script.commands)}
    for call in script.called("python", "python3"):
        if not call.command.branches or not any(_WRITES.match(text) for text in call.texts):
            continue
        tests = list(_tests(script.commands, places[id(call.command)]))
        told = any(_OF_A_NODE.search(word.text) for test in tests for item in test for word in item.words)
        if told if script.section == "setup" else not all(map(_looks_for_files, tests)):
            yield call


def _tests(commands: Sequence[Command], place: int) -> Iterator[Sequence[Command]]:
    """Yield what each ``if``, ``elif`` and ``case`` around a command asks, from inside out."""
    level = commands[place].branches
    for number in range(place, -1, -1):
        item = commands[number]
        if item.branches != level or not (item.role in {"if", "elif"} or item.name == "case"):
            continue
        behind = range(number + 1, place + 1)
        yield commands[number : next((end for end in behind if commands[end].role == "then"), number + 1)]
        level -= item.role != "elif"
        if not level:
            return


def _looks_for_files(test: Sequence[Command]) -> bool:
    asked = [item for item in test if item.origin != "substitution"]
    return all(
        item.name in _TESTS
        and any(_FILE.fullmatch(word) for word in item.args)
        and not any(_COMPARISON.fullmatch(word) for word in item.args)
        for item in asked
    )


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
