"""The step that a builder is at: each begins where the one before it ends, which no builder says."""

from __future__ import annotations

from msgspec import Struct, field

from mngen.build.redact import Redact
from mngen.build.watch import Step, Watch

_KEPT = 60
"""Lines of all steps, of which the last say why a builder gave up."""


class OpenStep(Struct):
    """The step that is open, and the last lines that were read; ``redact`` takes credentials out of each."""

    watch: Watch
    redact: Redact
    step: Step | None = None
    lines: list[str] = field(default_factory=list)

    def keep(self, line: str) -> None:
        """Remember a line, whatever it belongs to."""
        self.lines.append(line)
        del self.lines[:-_KEPT]

    def begin(self, step: Step) -> None:
        """End the step before, and begin this one."""
        self.close()
        self.step = step
        self.watch.started(step)

    def say(self, line: str) -> None:
        """Pass on what the open step prints."""
        if self.step is not None:
            self.step.say(line)
            self.watch.said(self.step, line)

    def close(self) -> None:
        """End the step that is open."""
        if self.step is not None:
            self.watch.ended(self.step)
        self.step = None
