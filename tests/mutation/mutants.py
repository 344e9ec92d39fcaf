"""The shell functions of the launch templates, and each template with one of them emptied."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDERS = ("templates/shell", "templates/slurm")
DEFINITION = re.compile(r"^(?P<name>\w+)\(\) (?P<open>[{(])$", re.MULTILINE)
_WHOLE = re.compile(r"^(?P<name>\w+)\(\) (?P<open>[{(])\n.*?^(?P<close>[})])$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Mutant:
    """One function to empty; ``path`` is relative to the project."""

    path: str
    name: str
    text: str = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.path}: {self.name}"

    def rendered_in(self, text: str) -> bool:
        """Whether a rendered file has this function; where it has holes only its name can tell."""
        return (self.text if self.path.endswith(".sh") else f"\n{self.name}() ") in text


def find(project: Path) -> list[Mutant]:
    """Return every function whose name stands in a template, by file."""
    files = sorted(path for folder in FOLDERS for path in (project / folder).iterdir() if ".sh" in path.suffixes)
    return [
        Mutant(str(path.relative_to(project)), match["name"], match[0])
        for path in files
        for match in _WHOLE.finditer(path.read_text())
    ]


def emptied(text: str, name: str) -> str:
    """Return a template's text in which the function does nothing and succeeds."""

    def body(match: re.Match[str]) -> str:
        if match["name"] != name:
            return match[0]
        return f"{name}() {match['open']}\n  :\n{match['close']}"

    return _WHOLE.sub(body, text)
