"""Which of a shell's own words is the script that it runs: the one behind the options with ``-c`` among them."""

from __future__ import annotations

from collections.abc import Sequence

_LONG = frozenset(
    {"debugger", "dump-po-strings", "dump-strings", "help", "init-file", "login", "noediting", "noprofile", "norc"}
    | {"posix", "rcfile", "restricted", "verbose", "version"}
)
"""Options that are words, with one dash or two: bash(1), and ``long_args`` in bash's shell.c."""
_WITH_VALUE = frozenset({"init-file", "rcfile"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})


def script_word(words: Sequence[str]) -> int | None:
    """Return where a command's words hold a script that a shell reads, as ``bash -c '…'`` does; ``None`` without."""
    return script_place(words) if words and words[0].rpartition("/")[2] in _SHELLS else None


def script_place(words: Sequence[str]) -> int | None:
    """Return where the script stands in a command that begins with a shell's name (bash(1), Options), if it has one.

    The place may be one behind the last word, of a shell that got no script.
    """
    place, inline = 1, False
    while place < len(words) and words[place][:1] in {"-", "+"} and words[place] not in {"-", "--"}:
        option = words[place]
        if option.lstrip("-") in _LONG:
            place += 2 if option.lstrip("-") in _WITH_VALUE else 1
        elif option.startswith("--") or not option[1:].isalpha():
            break  # none of bash's
        else:
            inline = inline or (option[0] == "-" and "c" in option)
            place += 1 + option.count("o") + option.count("O")  # each takes a word
    place += words[place : place + 1] in (["-"], ["--"])
    return place if inline else None
