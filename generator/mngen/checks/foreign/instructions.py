"""The instructions of a Dockerfile, with their lines."""

from __future__ import annotations

import re
import shlex
from json import JSONDecodeError, loads

from msgspec import Struct

from mngen.checks.foreign.script import Script

_START = re.compile(r"\s*([A-Za-z]+)\s+(.*)", re.DOTALL)
_FLAG = re.compile(r"(?:--[a-z]+=\S+[ \t]*(?:\\\n[ \t]*)?)+")
_HEREDOC_ALONE = re.compile(r"<<-?[\"']?[^\s<\"']+[\"']?[ \t]*\n")
_HEREDOC = re.compile(
    r"""\\. | "(?:\\.|[^"\\])*" | '[^']*'                    # what is quoted holds none
      | (?<!\S)\d*<<-?(?P<quote>["']?)(?P<end>[^\s<"']+)(?P=quote)(?!\S)""",
    re.DOTALL | re.VERBOSE,
)
"""A word that BuildKit takes for a here-document (``parser.go``): a shell's ``<< END`` and ``x<<END`` are none."""
_HOLDS_HEREDOC = re.compile(r"\s*(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s", re.IGNORECASE)


class Instruction(Struct, frozen=True):
    """``RUN …`` and the like: its word in capitals, its text with continued lines as written, its first line."""

    word: str
    text: str
    line: int
    stage: int = 0
    """How many ``FROM`` stand before or at it."""
    ends: tuple[int, ...] = ()
    """The lines of the end words of its here-documents."""


def instructions(text: str) -> tuple[Instruction, ...]:
    """Take a Dockerfile apart. Comments are dropped; a here-document belongs to its instruction."""
    found: list[Instruction] = []
    lines = text.split("\n")
    number = stage = 0
    while number < len(lines):
        first = number
        line = lines[number]
        number += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        body = [line]
        while body[-1].rstrip().endswith("\\") and number < len(lines):
            body.append("" if lines[number].lstrip().startswith("#") else lines[number])
            if not body[-1]:
                body[-1] = "\\"
            number += 1
        ends: list[int] = []
        for end in _end_words("\n".join(body)):
            while number < len(lines):
                body.append(lines[number])
                number += 1
                if body[-1].strip() == end:
                    ends.append(number)
                    break
        match = _START.match("\n".join(body))
        if match is None:
            continue
        word = match.group(1).upper()
        stage += word == "FROM"
        found.append(Instruction(word, match.group(2), first + 1, stage, tuple(ends)))
    return tuple(found)


def _end_words(text: str) -> list[str]:
    """Return the end words of the here-documents that follow an instruction."""
    if _HOLDS_HEREDOC.match(text) is None:
        return []
    return [match["end"] for match in _HEREDOC.finditer(text) if match["end"]]


def step_script(instruction: Instruction) -> Script:
    """Return the shell text of a RUN: without its own flags, and of a here-document the body."""
    text, line = instruction.text, instruction.line
    flags = _FLAG.match(text)
    if flags is not None:
        line += flags.group().count("\n")
        text = text[flags.end() :]
    heredoc = _HEREDOC_ALONE.match(text)
    if heredoc is not None:
        return Script(((text[heredoc.end() :].rpartition("\n")[0], line + 1),), section="RUN")
    return Script(((_words(text), line),), section="RUN")


def _words(text: str) -> str:
    """Return ``["pip", "install"]`` as a command line; other text as it is."""
    if not text.startswith("["):
        return text
    try:
        words = loads(text)
    except JSONDecodeError:
        return text
    return shlex.join(word for word in words if isinstance(word, str)) if isinstance(words, list) else text
