"""Failures that end a command, each with its exit status.

Only ``mngen.cli`` turns these into a process exit. The statuses are part of the public
interface: 0 clean, 1 findings, drift or a rehearsal's bad end, 2 usage, 3 environment, 4 internal error,
130, 143 or 129 when Ctrl-C, SIGTERM or SIGHUP ended it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mngen.diagnostics import Diagnostic


class MngenError(Exception):
    """Base of every expected failure; ``hint`` says how to mend it."""

    exit_code: ClassVar[int] = 4

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class FindingsError(MngenError):
    """A file has errors; carries every finding of the stage that failed, and lines of files that reports quote."""

    exit_code = 1

    def __init__(self, diagnostics: tuple[Diagnostic, ...], sources: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__(f"{len(diagnostics)} finding(s)")
        self.diagnostics = diagnostics
        self.sources = sources or {}


class UsageError(MngenError):
    """The command line asks for something that does not exist or does not go together."""

    exit_code = 2


class EnvironmentFailure(MngenError):
    """The machine is in the way: a file cannot be read, a program is missing, a registry refuses."""

    exit_code = 3


class InternalError(MngenError):
    """A fault of mngen itself."""

    exit_code = 4
