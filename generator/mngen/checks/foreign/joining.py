"""Whether a script waits until all nodes have joined Ray, or only until the head answers.

The exit status of ``ray status``, ``ray list nodes`` and ``ray health-check`` says that the head answers, not who has
joined (https://github.com/ray-project/ray, python/ray/scripts/scripts.py); their output, and ``ray.nodes()``, does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mngen.checks.foreign.functions import NAMING, called_functions, mentioned
from mngen.checks.foreign.script import Script, variables
from mngen.checks.foreign.shells import SHELLS
from mngen.checks.foreign.words import Command

_QUESTIONS = ("ray status", "ray list", "ray health-check", "ray symmetric-run")
_IN_PYTHON = ("ray.nodes()", "cluster_resources", "list_nodes(")
_UNREAD = ("ray status", "ray list nodes", "ray nodes", "symmetric-run")
"""What asks Ray in a text that no shell reads, and in the words of programs that nobody knows."""
_WAITS = re.compile(
    r"(?:wait[-_](?:for|until)|(?:is|until)[-_]ready)(?![-_]?(?:it\b|head|port|gcs|redis|dashboard))", re.IGNORECASE
)
"""A program or function of the user's that, by its name, waits; but for the head alone, or for a port of it."""
_ENDING = ("assert", "raise", "exit")
_SAYING = frozenset({"echo", "printf", "log", "logger", "info", "warn"})
_TESTS = frozenset({"[", "[[", "test"})
_PIPES = frozenset({"|", "|&"})
_SEARCHING = frozenset({"grep", "egrep", "fgrep", "rg"})
_PASSING = frozenset({"cat", "tee", "head", "tail", "sort", "uniq", "less", "column", *_SAYING})
"""Programs that pass on what they read and count nothing."""
_NUMBER = re.compile(r"\d|\$")
_COUNT = re.compile(r"-[A-Za-z]*c[A-Za-z]*|--count")
_EMPTINESS = frozenset({"-n", "-z", "!"})


class Joining(Struct, frozen=True):
    """What a script does before its driver: waits for all nodes, or asks the head alone."""

    waits: bool
    asks_head: bool


def joining(script: Script) -> Joining:
    """Return how a script makes sure that nodes have joined."""
    called = called_functions(script.commands)
    questions = {id(call.command) for call in script.called(*_QUESTIONS)}
    read = {id(call.command) for call in script.called(*SHELLS, "ssh", "pdsh", "clush", "eval")}
    asking: list[Command] = []
    alone: list[Command] = []
    for place, command in enumerate(script.commands):
        in_python = any(ask in _text(command) for ask in _IN_PYTHON)
        if in_python or id(command) in questions or (id(command) not in read and _holds_unread(command)):
            (asking if in_python or _counts(script.commands, place) else alone).append(command)
    looping = mentioned((command for command in script.commands if command.loops), called)
    compared = any(
        not command.holder or command.holder in called
        for command in asking
        if command.loops or command.holder in looping or any(word in _text(command) for word in _ENDING)
    )
    judged = {command.holder for command in alone} - {command.holder for command in asking}
    own = {command.holder for command in script.commands}
    waits = compared or any(_waits(command, judged, own - called) for command in script.commands)
    return Joining(waits, bool(alone))


def _waits(command: Command, judged: set[str], uncalled: set[str]) -> bool:
    """Tell whether a command is a wait by its name; a function that only asks the head is none, whatever its name."""
    if command.name in NAMING or (command.holder and command.holder in uncalled):
        return False
    return any(_WAITS.search(word.text) for word in command.words if word.text not in judged)


def _counts(commands: Sequence[Command], place: int) -> bool:
    """Tell whether the answer to the question at a place is counted, or compared with a number."""
    command = commands[place]
    last, behind = place, []
    while commands[last].after in _PIPES:
        last = next((n for n in range(last + 1, len(commands)) if commands[n].origin == command.origin), -1)
        if last < 0:
            break
        behind.append(commands[last])
    if any(_counts_input(stage) for stage in behind):
        return True
    if command.origin == "substitution":
        return _counts_later(commands, place)
    into = [item.target.text for item in command.redirects if item.takes_output]
    unread = any(" " in word.text and any(ask in word.text for ask in _UNREAD) for word in command.words)
    return unread or any(file != "/dev/null" for file in into)


def _counts_input(stage: Command) -> bool:
    """Tell whether a program at the end of a pipe counts, or looks for a number."""
    if stage.name in _SEARCHING:
        return any(_COUNT.fullmatch(text) or _NUMBER.search(text) for text in stage.args)
    return stage.name not in _PASSING


def _counts_later(commands: Sequence[Command], place: int) -> bool:
    """Tell whether what a substitution prints is counted by the command that holds it, or by a later one."""
    end = next((n for n in range(place + 1, len(commands)) if commands[n].origin != "substitution"), None)
    if end is None:
        return False
    holder = commands[end]
    names = {assign.name for assign in holder.assigns if assign.value.inner}
    if names:
        return any(_looks_at(item, names) for item in commands[end + 1 :])
    return holder.name not in _SAYING and _compares(holder) and (holder.name in _TESTS or _counts_input(holder))


def _looks_at(command: Command, names: set[str]) -> bool:
    said = [word.raw for word in command.words] + [redirect.target.raw for redirect in command.redirects]
    used = {name for text in said for name in variables(text)} & names
    return bool(used) and command.name not in _SAYING and _compares(command)


def _compares(command: Command) -> bool:
    """Tell whether a test is about more than whether there is any text at all."""
    return command.name not in _TESTS or not _EMPTINESS & set(command.args)


def _holds_unread(command: Command) -> bool:
    """Tell whether a question stands in a word or in several, but for what a substitution runs: that is read."""
    text = " ".join(word.text for word in command.words if not word.inner)
    return command.name not in _SAYING and any(ask in text for ask in _UNREAD)


def _text(command: Command) -> str:
    return " ".join(_texts(command))


def _texts(command: Command) -> Iterator[str]:
    yield from (word.text for word in command.words)
    yield from (redirect.body for redirect in command.redirects if redirect.body is not None)
