"""Scripts inside a script: texts that it hands to a shell, and files that it writes and then runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from mngen.checks.foreign.calls import Call, calls, inline_script, reads_input, remote_script, remote_word
from mngen.checks.foreign.collected import Piece, ways
from mngen.checks.foreign.commands import flatten, parse, within
from mngen.checks.foreign.expansion import Values, lasting, plain_name
from mngen.checks.foreign.lines import Place, lines_of
from mngen.checks.foreign.shebangs import interpreter, is_shell
from mngen.checks.foreign.shells import SHELLS, shell_words
from mngen.checks.foreign.words import Assign, Command, Redirect

DEEPEST = 4
"""How many scripts inside scripts are read."""
_ESCAPED = re.compile(r"\\([$`\\])")
"""What a backslash hides in a here-document whose word is not quoted (bash(1), Here Documents)."""
_SOURCING = frozenset({"source", "."})


class Outside(Struct, frozen=True):
    """What a script's inner ones need of it: the values of its variables, and the files that it runs.

    ``runs`` has by a file's name, as it is written, the programs under which it is run first.
    """

    values: Values
    runs: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, tuple[tuple[str, Place], ...]] = field(default_factory=dict)
    """By variable: the texts that it may hold in the end, each with its lines."""

    @classmethod
    def of(cls, commands: Sequence[Command], values: Values) -> Outside:
        """Return what these commands, all but the inner ones, say."""
        runs: dict[str, tuple[str, ...]] = {}
        pieces: dict[str, list[Piece]] = {}
        for place, command in enumerate(commands):
            for assign in lasting((command,)):
                pieces.setdefault(assign.name, []).append(Piece(*_assigned(assign), place, assign.append))
            for call in calls(command, values):
                for name in _names_of_script(call):
                    runs.setdefault(name, call.outer)
        return cls(values, runs, {name: ways(found, commands) for name, found in pieces.items()})


def with_inner(commands: Iterable[Command], outside: Outside, last: int, depth: int = 0) -> Iterator[Command]:
    """Yield commands, each followed by those of the scripts that it holds as text or here-document.

    ``last`` is the file's last line of all; an escape in a quoted value of YAML is a line break that the file has not.
    """
    before: Command | None = None
    for command in commands:
        yield command
        feeding, before = before, command
        if depth == DEEPEST:
            continue
        for held in held_texts(command, outside, feeding):
            found = (
                replace(within(item, command), origin=item.origin or held.origin, outer=held.outer)
                for item in flatten(parse(held.text, lines_of(held.text, held.line, last)))
            )
            yield from with_inner(found, outside, last, depth + 1)


class Held(Struct, frozen=True):
    """A script that a command holds: text, lines, where it stood, and the programs under which it runs."""

    text: str
    line: Place
    origin: str
    outer: tuple[str, ...]
    flags: tuple[str, ...] = ()
    """The words of the shell that gets it, without the script; none for a file that is written first."""
    unexpanded: str = ""
    """The text before the shell that hands it on puts the values of variables in; nothing where it does not."""


def held_texts(command: Command, outside: Outside, before: Command | None = None) -> Iterator[Held]:
    """Yield the scripts that a command hands to a shell, or writes into a file that is run.

    ``before`` is the command in front of it, which may feed it through a pipe.
    """
    body = _body(command)
    fed = _body(before) if before and before.name == "cat" and before.after == "|" else None
    for call in calls(command, outside.values):
        word = inline_script(call) or remote_script(call)
        named = word or remote_word(call)
        known = outside.texts.get(plain_name(named.text)) if named else None
        word = named if known else word
        if word is not None:
            flags = tuple(text for text in call.texts if text != word.text)
            for text, line in known or ((word.text, word.line),):
                yield Held(text, line, "string", call.outer, flags)
        elif reads_input(call) and (given := body or fed) is not None:
            yield Held(*given, "heredoc", call.outer, call.texts)
        elif body and call.program in {"cat", "tee"}:
            outer = outside.runs.get(_written(call, command.redirects))
            if outer is not None and _is_for_shell(body[0]):
                yield Held(*body, "heredoc", outer)


def submitted(command: Command, values: Values, before: Command | None = None) -> Iterator[Held]:
    """Yield the job file that a command hands to ``sbatch`` on its input; ``before`` may feed it through a pipe."""
    fed = before if before and before.name == "cat" and before.after == "|" else None
    holder = next((one for one in (command, fed) if one and _here_document(one)), None)
    redirect = _here_document(holder) if holder else None
    if holder is None or redirect is None:
        return
    for call in calls(command, values):
        if call.program == "sbatch" and not call.options.operands and not call.options.has("--wrap"):
            text, line = _body(holder) or ("", 0)
            before_it = redirect.body or "" if redirect.expanded else ""
            yield Held(text, line, "heredoc", call.outer, unexpanded=before_it)


def _here_document(command: Command) -> Redirect | None:
    return next((redirect for redirect in reversed(command.redirects) if redirect.body is not None), None)


def _body(command: Command) -> tuple[str, int] | None:
    """Return the text of a command's here-document as its reader gets it, but for variables; and its first line."""
    redirect = _here_document(command)
    if redirect is None or redirect.body is None:
        return None
    return _ESCAPED.sub(r"\1", redirect.body) if redirect.expanded else redirect.body, redirect.body_line


def _assigned(assign: Assign) -> tuple[str, int]:
    """Return the text that a variable gets, nothing where it cannot be told: a literal, or ``$(cat <<EOF …)``."""
    value = assign.value
    if assign.element or value.items is not None:
        return "", 0
    if not value.inner:
        return value.text, value.line
    whole = value.text.startswith("$(") and value.text.endswith(")") and len(value.inner) == 1
    plain = whole and value.inner[0].name == "cat" and len(value.inner[0].words) == 1
    return (_body(value.inner[0]) if plain else None) or ("", 0)


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
