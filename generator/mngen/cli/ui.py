"""What the user sees: data on stdout, words on stderr, colour only where it is wanted."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO

import click
from msgspec import Struct

from mngen.cli.streams import leave_stderr, leave_stdout, write_all
from mngen.errors import EnvironmentFailure


class Ui(Struct):
    """How to talk to the user; options before and after the command's name set the same one."""

    color: str = "auto"
    """``auto``, ``always`` or ``never``."""
    verbosity: int = 0
    """-1 problems alone, 0 what was done, 1 also what was not, and why."""

    def data(self, text: str | bytes) -> None:
        """Write a command's result to stdout, exactly.

        When whoever read it has left, the rest goes to nobody and the command does all else: its exit status says
        what was found, which a pipe's reader (``| head``) has no part in. Raises ``EnvironmentFailure`` when it
        cannot be written.
        """
        try:
            write_all(sys.stdout, text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text)
        except BrokenPipeError:
            leave_stdout()
        except OSError as error:
            leave_stdout()
            raise EnvironmentFailure(f"cannot write to standard output: {error.strerror}") from error

    def say(self, text: str) -> None:
        """Tell what was done; silent with ``-q``."""
        if self.verbosity >= 0:
            self.problem(text)

    def detail(self, text: str) -> None:
        """Tell what only ``-v`` asks for."""
        if self.verbosity > 0:
            self.problem(text)

    def problem(self, text: str) -> None:
        """Write words to stderr, whatever the verbosity. Where nobody takes them, the exit status has to do."""
        try:
            line = text if text.endswith("\n") else f"{text}\n"
            write_all(sys.stderr, line.encode(sys.stderr.encoding or "utf-8", "backslashreplace"))
        except OSError:
            leave_stderr()

    def failed(self, message: str, hint: str | None) -> None:
        """Say why something could not be done, and what helps."""
        self.problem(f"error: {message}" + (f"\nhint: {hint}" if hint else ""))

    def colored(self, stream: TextIO) -> bool:
        """Tell whether text for this stream gets colours."""
        if self.color != "auto":
            return self.color == "always"
        return wants_color(os.environ, is_terminal=stream.isatty())

    @property
    def color_err(self) -> bool:
        """Tell whether words get colours."""
        return self.colored(sys.stderr)

    @property
    def color_out(self) -> bool:
        """Tell whether data for people (a diff) gets colours."""
        return self.colored(sys.stdout)


def wants_color(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Decide by https://no-color.org and https://force-color.org, then by the kind of stream."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return is_terminal and environment.get("TERM") != "dumb"


def current_ui() -> Ui:
    """Return the one of the running command."""
    return click.get_current_context().ensure_object(Ui)
