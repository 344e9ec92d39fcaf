"""What can be broken on purpose: each shell function of the launch templates, and each line that guards a bug case."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDERS = ("templates/shell", "templates/slurm")
DEFINITION = re.compile(r"^(?P<name>\w+)\(\) (?P<open>[{(])", re.MULTILINE)
EDITS = Path(__file__).with_name("edits.toml")
EXPLAINED = Path(__file__).with_name("explained.toml")
_WHOLE = re.compile(r"^(?P<name>\w+)\(\) (?P<open>[{(])(?:\n.*?^| [^\n]* )(?P<close>[})])$", re.MULTILINE | re.DOTALL)


class Mutant(Protocol):
    """A file of the project and how to break it; its text as a string names it."""

    @property
    def path(self) -> str:
        """The file, relative to the project."""

    def broken(self, text: str) -> str:
        """The file's text with the mutant in it."""

    def concerns(self, test: str, functions: list[str]) -> bool:
        """Whether a test, which renders these functions, may notice."""


@dataclass(frozen=True)
class Function:
    """One function to empty; ``path`` is relative to the project."""

    path: str
    name: str
    text: str = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.path}: {self.name}"

    def broken(self, text: str) -> str:
        """The template's text in which the function does nothing and succeeds."""

        def body(match: re.Match[str]) -> str:
            return f"{self.name}() {match['open']}\n  :\n{match['close']}" if match["name"] == self.name else match[0]

        return _WHOLE.sub(body, text)

    def concerns(self, test: str, functions: list[str]) -> bool:
        """Whether the test renders it; a linter only sees that a name is used no more, not what the function does."""
        return str(self) in functions and "::test_g12_" not in test

    def rendered_in(self, text: str) -> bool:
        """Whether a rendered file has this function; where it has holes only its name can tell."""
        return (self.text if self.path.endswith(".sh") else f"\n{self.name}() ") in text


def find(project: Path) -> list[Function]:
    """Return every function whose name stands in a template, by file."""
    files = sorted(path for folder in FOLDERS for path in (project / folder).iterdir() if ".sh" in path.suffixes)
    return [
        Function(str(path.relative_to(project)), match["name"], match[0])
        for path in files
        for match in _WHOLE.finditer(path.read_text())
    ]


@dataclass(frozen=True)
class Edit:
    """A line that guards a bug case, and another in its place."""

    case: str
    path: str
    find: str = field(repr=False)
    replace: str = field(repr=False)

    def __str__(self) -> str:
        return f"{self.case}: {self.path}: {self.find}"

    def broken(self, text: str) -> str:
        """The text with the other line; ValueError when it is not there exactly once."""
        if text.count(self.find) != 1:
            raise ValueError(f"not once in {self.path}: {self.find}")
        return text.replace(self.find, self.replace)

    def concerns(self, test: str, functions: list[str]) -> bool:
        """Whether it is a test of the case."""
        del functions
        return f"::test_{self.case.lower()}_" in test


def edits() -> list[Edit]:
    """Every edit of edits.toml."""
    return [Edit(**entry) for entry in _entries(EDITS, "edit")]


def explained() -> dict[str, str]:
    """The functions that may survive, ``path: function``, each with its reason, from explained.toml."""
    return {f"{entry['path']}: {entry['function']}": entry["because"] for entry in _entries(EXPLAINED, "survivor")}


def _entries(file: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(file.read_text()).get(name, [])
    return found
