"""Asks bash itself whether texts parse: ``bash -n``, for any number of texts in one process."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from mngen.checks.findings import Finding
from mngen.checks.programs import finish, start

_NOTHING_RUNS = "set -n\n"
"""The first line of each file: bash reads on, and runs nothing more. It is bash's option ``-n``."""

_WITH_EXTGLOB = "shopt -s extglob; set -n\n"
"""The same for a text that names this option, which changes what bash can parse; bash runs nothing that turns it on."""

_READ_ALL = 'for file in ./*.bash; do (. "$file") || echo "${file//[!0-9]/}"; done'
"""Reads each file in a process that is split off: starting bash anew takes several times as long."""

_HEADER = re.compile(r"\A(?:#[^\n]*\n)+")
"""The comments at the top of a script, which hold the names of its manifest and target."""

_COMPLAINT = r"\./(\d+)\.bash: line (\d+): (.*)"

RESERVED = frozenset(
    {"case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function"}
    | {"if", "in", "select", "then", "time", "until", "while"}
)
"""Words that begin or end a construct where they stand first in a command (bash(1), Reserved Words)."""

_WORD = r"(?:\$[A-Za-z_]|[A-Za-z0-9_%+,./:=@-])+"
_LINE = rf"[ \t]*(?:#[ -~]*|(?!(?:{'|'.join(sorted(RESERVED))})(?![^ \t\n])){_WORD}(?:[ \t]+{_WORD})*[ \t]*)?"
_PLAIN = rf"{_LINE}(?:\n{_LINE})*"
"""Simple commands of plain words, one a line, in which there is nothing that could fail to parse."""
_MOST_PLAIN = 4096
"""Characters of a text that is tried for that."""


def syntax_errors(bash: str, texts: Sequence[str], folder: Path) -> Mapping[int, Finding]:
    """Write ``texts`` to ``folder``, which is empty, and return bash's first complaint about each that does not parse.

    The key is the text's number. Bash is not asked about simple commands of plain words, as most texts of users are.
    Texts are read once that differ only in the comments above their first command: the manifests of one call often
    give such. No start-up file is read and nothing of a text runs. The code of a
    finding is left empty: whose text it is decides that. Raises :class:`~mngen.checks.programs.GaveUp`.
    """
    distinct: dict[str, int] = {}
    places = [distinct.setdefault(_HEADER.sub(_blank, text, count=1), len(distinct)) for text in texts]
    doubtful = {text: number for text, number in distinct.items() if not is_plain(text)}
    if not doubtful:
        return {}
    for text, number in doubtful.items():
        first = _WITH_EXTGLOB if "extglob" in text else _NOTHING_RUNS
        (folder / f"{number}.bash").write_bytes((first + text).encode("utf-8", "surrogateescape"))
    command = [bash, "--noprofile", "--norc", "-c", _READ_ALL]
    process = start(command, len(doubtful), cwd=folder, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    _, numbers, complaints = finish(process)
    refused = [int(line) for line in numbers.split()]
    said: dict[int, Finding] = {}
    for line in complaints.splitlines() if refused else ():
        match = re.match(_COMPLAINT, line)
        if match and int(match[1]) in refused:
            said.setdefault(int(match[1]), Finding(int(match[2]) - 1, 1, "", "error", match[3]))
    unsaid = Finding(1, 1, "", "error", "bash does not parse this text")
    findings = {number: said.get(number, unsaid) for number in refused}
    return {number: findings[place] for number, place in enumerate(places) if place in findings}


def is_plain(text: str) -> bool:
    """Tell whether a text is so simple that bash need not be asked."""
    return len(text) <= _MOST_PLAIN and re.fullmatch(_PLAIN, text) is not None


def _blank(header: re.Match[str]) -> str:
    return "\n" * header[0].count("\n")
