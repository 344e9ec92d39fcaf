"""A foreign file as rules see it, and the finding that a rule returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.instructions import Instruction
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.yaml_nodes import Item
from mngen.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class YamlProblem:
    """A YAML file's syntax error. ``indentation``: the text of a block begins at the column of its dash."""

    line: int
    message: str
    indentation: bool = False


class Form(Enum):
    """What a foreign file is."""

    BASH = "bash script"
    SBATCH = "sbatch script"
    SKYPILOT = "SkyPilot task"
    DSTACK = "dstack configuration"
    DOCKERFILE = "Dockerfile"
    APPTAINER = "Apptainer definition"
    YAML = "YAML file"


@dataclass(frozen=True, slots=True)
class Found:
    """One finding of a rule: a line, what goes wrong, the right way."""

    line: int
    message: str
    hint: str
    severity: Severity | None = None
    """When it differs from the rule's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file taken apart: its shell texts, and what its form adds."""

    file: str
    text: str
    form: Form
    scripts: tuple[Script, ...] = ()
    root: Item | None = None
    """The data of a YAML file."""
    instructions: tuple[Instruction, ...] = ()
    """The instructions of a Dockerfile, or the sections of a definition file."""
    yaml_problem: YamlProblem | None = None
    """Why a YAML file does not parse; the rest is then read from a mended text, or missing."""

    def called(self, *programs: str) -> Iterator[tuple[Script, Call]]:
        """Yield every call of these programs, with its script."""
        for script in self.scripts:
            for call in script.called(*programs):
                yield script, call

    def get(self, *path: str) -> Item | None:
        """Return the item of a YAML file at a path of keys, or ``None``."""
        item = self.root
        for key in path:
            item = item.fields.get(key) if item is not None else None
        return item


@dataclass(frozen=True, slots=True)
class Rule:
    """One check of foreign files: its code, how much its findings weigh, and what finds them."""

    code: str
    severity: Severity
    check: Callable[[Document], Iterable[Found]]
