"""Shell text in a command of the manifest: the word that ``bash -c`` runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mngen.manifest.model import Target
from mngen.manifest.text import Text
from mngen.plan import UserText

_SHELLS = frozenset({"bash", "sh", "dash"})
_LONG = frozenset(
    {"debugger", "dump-po-strings", "dump-strings", "help", "init-file", "login", "noediting", "noprofile", "norc"}
    | {"posix", "rcfile", "restricted", "verbose", "version"}
)
"""Options that are words, with one dash or two: bash(1), and ``long_args`` in bash's shell.c."""
_WITH_VALUE = frozenset({"init-file", "rcfile"})


def inline_scripts(target: Target) -> Iterator[UserText]:
    """Yield the scripts in the driver's and the services' commands, for bash to parse and nobody to lint."""
    driver = target.driver
    parts = {"command": driver.command, "args": driver.args, "extra_args": driver.extra_args}
    yield from _in(
        target, [(f"driver.{name}", i, text) for name, texts in parts.items() for i, text in enumerate(texts)]
    )
    for service in target.services:
        words = [(f"services.{service.name}.command", index, text) for index, text in enumerate(service.command)]
        yield from _in(target, words)


def _in(target: Target, words: Sequence[tuple[str, int, Text]]) -> Iterator[UserText]:
    place = _place([text.literal or "" for _, _, text in words])
    if place is not None and place < len(words):
        field, index, text = words[place]
        # What a placeholder stands for is put in before the shell parses the word; most values are one word.
        body = "".join(part if isinstance(part, str) else "x" for part in text.parts)
        yield UserText(f"{field}[{index}]", body, target.span(f"{field}.{index}"), linted=False)


def _place(words: Sequence[str]) -> int | None:
    """Return where a shell's script stands among its words (bash(1), Options), or ``None`` when it gets none.

    ``None`` too where ``-O`` may change what the shell can parse, as ``extglob`` does.
    """
    if not words or words[0].rpartition("/")[2] not in _SHELLS:
        return None
    place, inline = 1, False
    while place < len(words) and words[place][:1] in {"-", "+"} and words[place] not in {"-", "--"}:
        option = words[place]
        if option.lstrip("-") in _LONG:
            place += 2 if option.lstrip("-") in _WITH_VALUE else 1
        elif option.startswith("--") or "O" in option:
            return None
        else:
            inline = inline or "c" in option
            place += 1 + option.count("o")  # each takes a word
    place += words[place : place + 1] in (["-"], ["--"])
    return place if inline else None
