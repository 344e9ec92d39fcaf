"""What a launch file says of itself: its settings, read from bash text that is not run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from mngen.manifest.whole_numbers import whole_number

HELD_OUT = ("HOME", "USER", "LOGNAME", "PATH", "SHELL", "TMPDIR")
"""Variables that every shell has."""

WORD = r"""((?:\$'(?:\\.|[^'\\])*'|'[^'\n]*'|"(?:\\.|[^"\\\n])*"|\\.|[^\s'"\\;()])+)"""
"""One word of bash as it is written, for patterns."""

_ANSI = re.compile(r"\$'((?:\\.|[^'\\])*)'")
_NEEDED = re.compile(r"the manifest uses \\\$\{\{ env\.(\w+) \}\}, which is not set")
_VARIABLE = re.compile(r"\$\{(\w+)\}|\$(\w+)")
_CONTINUED = re.compile(r"\\\n\s*")


def setting(text: str, name: str) -> tuple[str, ...]:
    """Return the words of ``readonly NAME=…``; none where there is no such line."""
    found = re.search(rf"^readonly (?:\S+ )*?{name}=(?:\((.*?)\)|(\S*))(?=\s)", text, re.MULTILINE | re.DOTALL)
    try:
        return tuple(shlex.split(found[1] if found[1] is not None else found[2])) if found else ()
    except ValueError:  # quotes that end on another line, in a file written by hand
        return ()


def number(text: str, name: str) -> int:
    """Return a whole number from ``readonly NAME=…``; 0 where there is none."""
    found = setting(text, name)
    return (whole_number(found[0]) or 0) if len(found) == 1 else 0


def needed_variables(text: str) -> tuple[str, ...]:
    """Return the names of the variables that the job's nodes must have beside the usual ones."""
    return tuple(dict.fromkeys(name for name in _NEEDED.findall(text) if name not in HELD_OUT))


def made_up(text: str, name: str) -> str:
    """Return a value for a variable of the site: a path where the text uses it as one, else a word."""
    as_path = re.search(rf'(?:^|[\s"=:,])\$\{{{name}\}}/', text, re.MULTILINE)
    return f"/rehearsal/{name.lower()}" if as_path else "rehearsal"


def unquoted(word: str) -> str:
    """Return what bash makes of the quotes of a word."""
    try:
        return "".join(shlex.split(_ANSI.sub(lambda match: shlex.quote(_plain(match[1])), word)))
    except ValueError:  # in a file written by hand
        return word


def _plain(text: str) -> str:
    """Return what ``$'…'`` stands for, as far as `launch/words.py` writes it."""
    known = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}

    def meant(match: re.Match[bytes]) -> bytes:
        return bytes.fromhex(match[2].decode()) if match[2] else known.get(match[1], match[1])

    return re.sub(rb"\\(x([0-9a-f]{2})|.)", meant, text.encode()).decode(errors="replace")


def filled(text: str, values: Mapping[str, str]) -> str | None:
    """Return a text with its variables filled in, ``None`` where one is not known."""
    names = [a or b for a, b in _VARIABLE.findall(text)]
    if any(name not in values for name in names):
        return None
    return _VARIABLE.sub(lambda match: values[match[1] or match[2]], text)


def command_words(text: str) -> list[list[str]]:
    """Return the words of each line of a script, continued lines joined; lines that are no plain words are left out."""
    found = []
    for line in _CONTINUED.sub(" ", text).splitlines():
        if line.lstrip().startswith("#"):
            continue
        try:
            found.append(shlex.split(line))
        except ValueError:
            continue
    return found
