"""Which nodes of a cluster run a script, so that no script asks for a rank that it knows."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from mngen.manifest.model import Target


class Ranks(enum.Enum):
    """The nodes that run one script."""

    ALL = "all"
    HEAD = "head"
    WORKERS = "workers"

    @property
    def has_head(self) -> bool:
        """Whether the head runs it."""
        return self is not Ranks.WORKERS

    @property
    def has_workers(self) -> bool:
        """Whether workers run it."""
        return self is not Ranks.HEAD

    def on_head(self, lines: Iterable[str]) -> list[str]:
        """Return lines that are for the head alone, with a question for the rank where others run them too."""
        if self is Ranks.ALL:
            return ["if ((NODE_RANK == 0)); then", *(f"  {line}" for line in lines), "fi"]
        return list(lines) if self is Ranks.HEAD else []

    def on_workers(self, line: str) -> list[str]:
        """Return a command that is for workers alone, in the same way."""
        if self is Ranks.ALL:
            return [f"((NODE_RANK == 0)) || {line}"]
        return [line] if self is Ranks.WORKERS else []


def together(target: Target) -> Ranks:
    """Return who runs the one script of a target that has one for all nodes."""
    return Ranks.HEAD if target.resources.nodes == 1 else Ranks.ALL
