"""Rendered bash as functions and the code outside of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from repository import rendered

DEFINITION = re.compile(
    r"^(?P<name>\w+)\(\) [{(](?:\n(?P<body>.*?)^| (?P<line>[^\n]*) )[})]$", re.MULTILINE | re.DOTALL
)
HERE_DOCUMENT = re.compile(r"(<<-?)(['\"]?)(\w+)\2(.*\n)(?:.*\n)*?\s*\3$", re.MULTILINE)
COMMENT = re.compile(r"(^|(?<=\s))#.*$", re.MULTILINE)
MESSAGE = re.compile(r'\b(say|fail \S+|echo|printf) "(?:[^"\\$]|\\.|\$(?!\())*"')


@dataclass(frozen=True)
class Shell:
    """One file: ``functions`` by name without comments and here-documents, ``main`` the rest."""

    path: Path
    text: str
    functions: dict[str, str]
    main: str

    def called(self) -> set[str]:
        """The functions that a run can come to: those named in the main part, and by those in turn."""
        reached: set[str] = set()
        new = self._named(self.main)
        while new:
            reached |= new
            new = {name for one in new for name in self._named(self.functions[one])} - reached
        return reached

    def _named(self, code: str) -> set[str]:
        words = set(re.findall(r"(?<![\w/.-])\w+(?![\w-])", MESSAGE.sub(r"\1", code)))
        return words & self.functions.keys()


def read(path: Path) -> Shell:
    """Take a file apart."""
    text = path.read_text(encoding="utf-8")
    code = COMMENT.sub("", HERE_DOCUMENT.sub(r"\1\2\3\2\4\3", text))
    functions = {found["name"]: found["body"] or found["line"] or "" for found in DEFINITION.finditer(code)}
    return Shell(path, text, functions, DEFINITION.sub("", code))


@cache
def scripts() -> tuple[Shell, ...]:
    """Every checked-in bash file."""
    return tuple(read(path) for path in rendered() if path.suffix in {".sh", ".sbatch"})
