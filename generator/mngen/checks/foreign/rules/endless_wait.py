"""A wait without a deadline holds the nodes for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from mngen.checks.foreign.calls import calls
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.expansion import Values
from mngen.checks.foreign.loops import Loop, loops
from mngen.checks.foreign.script import variables
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_ASKING = frozenset({"ray", "curl", "wget", "nc", "ping", "scontrol"})
_TESTS = frozenset({"[", "[[", "test"})
_Asks = Callable[[Command], bool]
_FAILING = ("exit", "return", "die", "fail", "abort", "fatal")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        asks = partial(_asks, script.values)
        for loop in loops(script.commands):
            if loop.kind in {"while", "until"} and _polls(loop) and _waits(loop, asks) and not _bounded(loop):
                yield Found(
                    loop.commands[0].line,
                    "this waits without a deadline: when the thing never comes, the job holds its nodes to the end",
                    "count the seconds: `((SECONDS < deadline)) || exit 1`",
                )


def _polls(loop: Loop) -> bool:
    return any(item.name == "sleep" and len(item.loops) == loop.depth for item in loop.commands)


def _bounded(loop: Loop) -> bool:
    """Tell whether anything ends the wait that never succeeds, a ``timeout`` around the whole script included."""
    return loop.counts or loop.has(*_FAILING) or "timeout" in loop.commands[0].outer


def _waits(loop: Loop, asks: _Asks) -> bool:
    """Tell whether a loop waits for a program elsewhere, or for nothing but a file.

    A loop that looks after a process (`kill -0`) ends with it; one in a function or in the background may well run
    beside the rest.
    """
    beside = loop.background or any(item.function for item in loop.commands)
    if beside or any(item.args[:1] == ("-0",) for item in loop.commands if item.name == "kill"):
        return False
    if loop.for_ever:
        return _left_once_there(loop, asks)
    return not loop.has("break") and (_until_there(loop, asks) or _for_file(loop))


def _until_there(loop: Loop, asks: _Asks) -> bool:
    """Tell whether the condition is that something answers: ``until ray status``, ``while ! ray status``.

    Without the ``!`` a loop watches what is there already. A test may also look at what an earlier question told.
    """
    asked = [item for item in loop.condition if (item in loop.own or item.silent) and asks(item)]
    negated = any(item.negated for item in loop.condition)
    if any(item.origin == "substitution" for item in asked):
        return True
    if asked:
        return negated == (loop.kind == "while")
    return any(asks(item) for item in loop.own) and bool(_told(loop.own) & _used(loop.condition))


def _left_once_there(loop: Loop, asks: _Asks) -> bool:
    """Tell whether an endless loop has one way out, an answer: ``ray status && break``."""
    ways = [number for number, item in enumerate(loop.own) if item.name == "break"]
    if len(ways) != 1:
        return False
    led = _led(loop.own, ways[0])
    asked = any(asks(item) for item in led) or bool(_answers(loop.own, asks) & _used(led))
    return asked and not any(item.negated for item in led)


def _led(commands: Sequence[Command], way: int) -> Sequence[Command]:
    """Return the commands whose success leads to one: those joined by ``&&``, or the condition of its ``if``."""
    first = way
    while first > 0 and commands[first - 1].after in {"&&", "|"}:
        first -= 1
    if first < way or commands[way].branches == 0:
        return commands[first:way]
    for start in range(way, -1, -1):
        if commands[start].role == "else" and commands[start].branches == commands[way].branches:
            return ()
        if commands[start].role in {"if", "elif"} and commands[start].branches == commands[way].branches:
            inner = (number for number in range(start, way + 1) if commands[number].role == "then")
            return commands[start : next(inner, way)]
    return ()


def _asks(values: Values, command: Command) -> bool:
    """Tell whether a command asks something elsewhere, itself or through ``docker exec``, ``srun``, ``timeout``."""
    texts = [*(word.text for word in command.words), *(item.target.text for item in command.redirects)]
    return any(call.program.split()[0] in _ASKING for call in calls(command, values)) or any(
        "/dev/tcp" in text for text in texts
    )


def _told(commands: Sequence[Command]) -> set[str]:
    """Name the variables that these commands set."""
    return {assign.name for item in commands for assign in item.assigns}


def _answers(commands: Sequence[Command], asks: _Asks) -> set[str]:
    """Name the variables that hold what was answered: ``n=$(ray status | grep -c x)``."""
    assigns = (assign for item in commands for assign in item.assigns)
    return {assign.name for assign in assigns if any(asks(inner) for inner in assign.value.inner)}


def _used(commands: Sequence[Command]) -> set[str]:
    return {name for item in commands for word in item.words for name in variables(word.raw)}


def _for_file(loop: Loop) -> bool:
    """Tell whether it looks at nothing but a file."""
    programs = {item.name for item in loop.own}
    looks = any({"-f", "-e"} & set(item.args) for item in loop.own if item.name in _TESTS)
    return looks and programs <= _TESTS | {"sleep"}


RULE = Rule("MN720", Severity.ERROR, _check)
