"""What a builder tells while it works, in one form for all builders."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct, field


class Step(Struct):
    """One instruction on its way. ``number`` and ``total`` count within ``stage``; 0 when the builder does not say."""

    text: str
    number: int = 0
    total: int = 0
    stage: str = ""
    cached: bool = False
    lines: list[str] = field(default_factory=list)
    """The last lines that it printed."""

    @property
    def title(self) -> str:
        """The step in one short line."""
        count = f"[{self.stage + ' ' if self.stage else ''}{self.number}/{self.total}] " if self.total else ""
        return count + " ".join(self.text.split())

    @property
    def works(self) -> bool:
        """Tell whether the step does something to files; variables, labels and the like are not worth a line."""
        return self.text.partition(" ")[0] not in {"FROM", "SHELL", "ARG", "ENV", "LABEL", "USER", "ENTRYPOINT", "CMD"}

    def say(self, line: str, *, keep: int = 40) -> None:
        """Add a line and forget what is too long ago."""
        self.lines.append(line)
        del self.lines[:-keep]


class Watch(Protocol):
    """Whoever looks on. Every text that arrives is free of credentials."""

    def started(self, step: Step) -> None:
        """A step begins."""

    def said(self, step: Step, line: str) -> None:
        """A step has printed a line."""

    def ended(self, step: Step) -> None:
        """A step is done, or was found in the cache."""

    def note(self, text: str) -> None:
        """Something worth a line that is no step: a push, another attempt."""


class Count(Struct):
    """How much of a build came from the cache."""

    steps: int = 0
    cached: int = 0
    ran: list[str] = field(default_factory=list)
    """Titles of the steps that really ran, in order."""

    def add(self, step: Step) -> None:
        """Count a step that has ended."""
        if not step.works:
            return
        self.steps += 1
        self.cached += step.cached
        if not step.cached:
            self.ran.append(step.title)
