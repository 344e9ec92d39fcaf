"""How a builder's failure reaches the rest: a step of the image that failed, or an engine or registry in the way."""

from __future__ import annotations

from dataclasses import dataclass

from mngen.build.watch import Step


@dataclass(slots=True)
class StepFailedError(Exception):
    """An instruction of the image failed: the image's own fault, not the machine's.

    ``line`` is that of the Dockerfile; ``stage`` and ``number`` count instructions. Each is 0 when the builder does
    not tell.
    """

    step: Step
    reason: str
    status: int | None = None
    line: int = 0
    stage: int = 0
    number: int = 0


@dataclass(slots=True)
class BuilderError(Exception):
    """The builder gave up for a reason of its own; ``said`` is what it wrote about that, in its words."""

    said: str
    pushing: bool = False
    reference: str = ""
    """What was pulled or pushed, where the builder names it."""
