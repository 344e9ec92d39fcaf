"""What an outside linter says, before it becomes a diagnostic."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mngen.diagnostics import Severity

GIVEN_UP = "MN921"
"""The code of what stands for the findings of a linter that was given up."""


class Finding(Struct, frozen=True, order=True):
    """One remark of a linter: a place in the text it read, its own code and level, and its words."""

    line: int
    column: int
    code: str
    level: str
    message: str
    end_column: int = 0
    """Where the place ends on the same line; 0 when the linter does not say."""

    @property
    def severity(self) -> Severity:
        """The linter's level in mngen's terms; ``style`` and ``info`` are notes."""
        return {"error": Severity.ERROR, "warning": Severity.WARNING}.get(self.level, Severity.NOTE)


def given_up(texts: int, why: str) -> Mapping[int, tuple[Finding, ...]]:
    """Return what stands in the place of findings, for each of the texts: that there are none, and why."""
    message = f"{why} and was given up, so only mngen's own rules looked at this file"
    return dict.fromkeys(range(texts), (Finding(1, 1, GIVEN_UP, "warning", message),))
