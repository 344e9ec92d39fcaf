"""A container does not inherit the variables of the shell that starts it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call, inline_script
from mngen.checks.foreign.commands import flatten, parse
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.expansion import without_single_quoted
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command, Word
from mngen.diagnostics import Severity

_WANTED = {"wandb": "WANDB_API_KEY", "swanlab": "SWANLAB_API_KEY"}
_ENGINES = ("docker", "podman")
_READ = re.compile(r"(?<![\\$])\$(?:\{([A-Za-z_]\w*)(?::?\?[^}]*)?\}|([A-Za-z_]\w*))")
"""A variable that is expected to be there: ``${NAME:-x}`` and its like know what to do without it."""
_SINGLE_QUOTED = re.compile(r"'[^']*'")
_OF_IMAGES = re.compile(
    r"PATH|HOME|HOSTNAME|PWD|USER|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|\w+_PATH|PYTHON\w*|(?:CUDA|ROCM|HIP|JAVA)_HOME"
    r"|\w+_VERSION"
)
"""What most images set themselves."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        given = [
            value
            for call in (*script.containers("run"), *script.containers("exec"))
            for value in call.options.values("--env")
        ]
        yield from _in_front(script, " ".join(given))
        yield from _loggers(script, " ".join(given))
        yield from _exported(script, {value.partition("=")[0] for value in given})


def _in_front(script: Script, passed: str) -> Iterator[Found]:
    for call in script.containers("exec") + script.containers("run"):
        lost = [assign.name for assign in call.command.assigns if not assign.alone]
        if lost and lost[0] not in passed:
            yield Found(
                call.line,
                f"{lost[0]} is set for `{call.command.name}`, and does not reach the process in the container",
                f"pass it: `{call.program} -e {lost[0]}=… `",
            )


def _loggers(script: Script, passed: str) -> Iterator[Found]:
    for call in script.calls:
        if not call.under(*_ENGINES):
            continue
        for word in call.words:
            wanted = next((name for key, name in _WANTED.items() if "logger" in word.text and key in word.text), None)
            if wanted is not None and wanted not in passed and "--env-file" not in script.text:
                yield Found(
                    word.line,
                    f"this asks for a logger that needs {wanted}, which no `-e` hands into the container",
                    f"pass the name only, `-e {wanted}`, so that the value stays out of the command line",
                )


def _exported(script: Script, passed: set[str]) -> Iterator[Found]:
    """Yield what the script exports and a text in a container reads, as far as all that is handed in is known."""
    starts = script.containers("run")
    if not starts or any("*" in name for name in passed):
        return  # a container that was started elsewhere has variables of its own
    if not all(call.lacks("--env-file", "--env-host") for call in (*starts, *script.containers("exec"))):
        return
    exports = dict(_exports(script))
    for call in script.calls:
        word = inline_script(call)
        engine = next((outer for outer in reversed(call.outer) if outer.startswith(_ENGINES)), "")
        if word is None or not engine or not _is_own(call) or not _SINGLE_QUOTED.fullmatch(word.raw):
            continue
        for name, line in _read_inside(word):
            if name not in passed and exports.get(name, call.line) < call.line and not _OF_IMAGES.fullmatch(name):
                yield Found(
                    line,
                    f"`${name}` is read in the container, where the export of this script does not reach",
                    f"pass the name, `{engine} -e {name}`; without a value it is taken from the environment",
                )


def _is_own(call: Call) -> bool:
    """Tell whether a command stands in the script itself, where nothing expands what single quotes hold."""
    return call.command.origin in {"", "substitution"}


def _exports(script: Script) -> Iterator[tuple[str, int]]:
    """Yield the variables that are exported, with the line, the last one first."""
    for command in reversed(script.commands):
        if command.origin not in {"", "substitution"}:
            continue
        yield from ((assign.name, assign.line) for assign in command.assigns if assign.exported)
        if command.name == "export":
            yield from ((text, command.line) for text in command.args if text.isidentifier())


def _read_inside(word: Word) -> Iterator[tuple[str, int]]:
    """Yield the variables that a script reads and gives no value, once each; none where it may read a file of them."""
    commands = tuple(flatten(parse(word.text, word.line)))
    if any(command.name in {"source", ".", "eval"} for command in commands):
        return
    known = {assign.name for command in commands for assign in command.assigns} | set(_named(commands))
    for command in commands:
        for part in (*command.words, *(assign.value for assign in command.assigns)):
            for match in _READ.finditer(without_single_quoted(part.raw)):
                name = match[1] or match[2]
                if name not in known:
                    known.add(name)
                    yield name, part.line


def _named(commands: tuple[Command, ...]) -> Iterator[str]:
    """Yield the variables that loops and ``read`` give values to."""
    for command in commands:
        if command.name in {"for", "select", "read", "mapfile", "readarray", "local", "declare", "getopts"}:
            yield from command.args


RULE = Rule("MN781", Severity.WARNING, _check)
