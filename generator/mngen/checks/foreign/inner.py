"""Scripts inside a script: texts that it hands to a shell, and files that it writes and then runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mngen.checks.foreign.calls import Call, calls, inline_script, reads_input, remote_script
from mngen.checks.foreign.commands import flatten, parse, within
from mngen.checks.foreign.expansion import Values
from mngen.checks.foreign.lines import lines_of
from mngen.checks.foreign.shebangs import interpreter, is_shell
from mngen.checks.foreign.shells import SHELLS, shell_words
from mngen.checks.foreign.words import Command, Redirect

DEEPEST = 4
"""How many scripts inside scripts are read."""
_SOURCING = frozenset({"source", "."})


@dataclass(frozen=True, slots=True)
class Outside:
    """What a script's inner ones need of it: the values of its variables, and the files that it runs.

    ``runs`` has by a file's name, as it is written, the programs under which it is run first.
    """

    values: Values
    runs: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, commands: Iterable[Command], values: Values) -> Outside:
        """Return what these commands, all but the inner ones, say."""
        runs: dict[str, tuple[str, ...]] = {}
        for command in commands:
            for call in calls(command, values):
                for name in _names_of_script(call):
                    runs.setdefault(name, call.outer)
        return cls(values, runs)


def with_inner(commands: Iterable[Command], outside: Outside, last: int, depth: int = 0) -> Iterator[Command]:
    """Yield commands, each followed by those of the scripts that it holds as text or here-document.

    ``last`` is the file's last line of all; an escape in a quoted value of YAML is a line break that the file has not.
    """
    for command in commands:
        yield command
        if depth == DEEPEST:
            continue
        for held in held_texts(command, outside):
            found = (
                replace(within(item, command), origin=item.origin or held.origin, outer=held.outer)
                for item in flatten(parse(held.text, lines_of(held.text, held.line, last)))
            )
            yield from with_inner(found, outside, last, depth + 1)


@dataclass(frozen=True, slots=True)
class Held:
    """A script that a command holds: text, first line, where it stood, and the programs under which it runs."""

    text: str
    line: int
    origin: str
    outer: tuple[str, ...]
    flags: tuple[str, ...] = ()
    """The words of the shell that gets it, without the script; none for a file that is written first."""


def held_texts(command: Command, outside: Outside) -> Iterator[Held]:
    """Yield the scripts that a command hands to a shell, or writes into a file that is run."""
    bodies = [redirect for redirect in command.redirects if redirect.body is not None]
    for call in calls(command, outside.values):
        word = inline_script(call) or remote_script(call)
        if word is not None:
            flags = tuple(text for text in call.texts if text != word.text)
            yield Held(word.text, word.line, "string", call.outer, flags)
        elif bodies and reads_input(call):
            yield Held(bodies[-1].body or "", bodies[-1].body_line, "heredoc", call.outer, call.texts)
        elif bodies and call.program in {"cat", "tee"}:
            outer = outside.runs.get(_written(call, command.redirects))
            if outer is not None and _is_for_shell(bodies[-1].body or ""):
                yield Held(bodies[-1].body or "", bodies[-1].body_line, "heredoc", outer)


def _written(call: Call, redirects: Sequence[Redirect]) -> str:
    """Return the one file that ``cat > FILE`` or ``tee FILE`` writes from its start, or an empty text."""
    if call.program == "cat":
        files = [redirect.target.text for redirect in redirects if redirect.operator in {">", ">|"}]
        return _plain(files[0]) if len(files) == 1 and not call.words else ""
    return _plain(call.texts[0]) if len(call.texts) == 1 else ""


def _names_of_script(call: Call) -> Iterator[str]:
    """Yield the file that a shell is told to run, or that is run as a program by its path."""
    if call.program in SHELLS:
        word = shell_words(call.words).file
        if word is not None:
            yield _plain(word.text)
        return
    if call.program in _SOURCING:
        yield from map(_plain, call.texts[:1])
        return
    for word in call.command.words:
        if "/" in word.text and word.text.rsplit("/", 1)[-1] == call.program:
            yield _plain(word.text)


def _plain(path: str) -> str:
    return path.removeprefix("./").removeprefix("$PWD/").removeprefix("${PWD}/")


def _is_for_shell(text: str) -> bool:
    return is_shell(interpreter(text) or "bash")
