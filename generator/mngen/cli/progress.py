"""How a build is watched: bars on a terminal, one line a step elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mngen.build.watch import Step, Watch
from mngen.cli.ui import Ui

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

WIDTH = 70
"""Columns of a step's text."""


@contextmanager
def watching(ui: Ui) -> Iterator[Watch]:
    """Yield a watch for the user's stderr: rich draws on a terminal, plain lines go anywhere else."""
    if ui.verbosity < 0 or not sys.stderr.isatty():
        yield Plain(ui)
        return
    from rich.console import Console  # noqa: PLC0415 - heavy
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415 - heavy

    text = TextColumn("{task.description}", markup=False, table_column=None)
    console = Console(stderr=True, no_color=not ui.color_err, highlight=False)
    with Progress(BarColumn(bar_width=12), TimeElapsedColumn(), text, console=console) as progress:
        yield Bars(ui, progress)


class Plain:
    """One line for each step that has ended; with ``-v`` also its begin, and what it prints."""

    def __init__(self, ui: Ui) -> None:
        self._ui = ui
        self._began: dict[int, float] = {}

    def started(self, step: Step) -> None:
        """Remember when."""
        self._began[id(step)] = time.monotonic()
        self._ui.detail(f"{step.title} …")

    def said(self, step: Step, line: str) -> None:
        """Show it to who wants to see it."""
        del step
        self._ui.detail(f"    {line}")

    def ended(self, step: Step) -> None:
        """Say how long it took."""
        began = self._began.pop(id(step), None)
        if step.works:
            self._ui.say(f"{step_line(step)}  {took(step, began)}")

    def note(self, text: str) -> None:
        """Pass it on."""
        self._ui.say(text)


class Bars:
    """A bar for each step that runs, above them those that are done."""

    def __init__(self, ui: Ui, progress: Progress) -> None:
        self._ui = ui
        self._progress = progress
        self._tasks: dict[int, tuple[TaskID, float]] = {}

    def started(self, step: Step) -> None:
        """Draw its bar, which has no length: a builder does not know how long a step takes."""
        task = self._progress.add_task(step_line(step), total=None)
        self._tasks[id(step)] = (task, time.monotonic())

    def said(self, step: Step, line: str) -> None:
        """Show the line above the bars to who wants to see it."""
        del step
        if self._ui.verbosity > 0:
            self._print(f"    {line}")

    def ended(self, step: Step) -> None:
        """Turn the bar into a line."""
        task, began = self._tasks.pop(id(step), (None, None))
        if task is not None:
            self._progress.remove_task(task)
        if step.works:
            self._print(f"{step_line(step)}  {took(step, began)}")

    def note(self, text: str) -> None:
        """Show it above the bars."""
        self._print(text)

    def _print(self, text: str) -> None:
        self._progress.console.print(text, markup=False, soft_wrap=True)


def step_line(step: Step) -> str:
    """Return a step in at most :data:`WIDTH` columns."""
    return step.title if len(step.title) <= WIDTH else f"{step.title[: WIDTH - 1]}…"


def took(step: Step, began: float | None) -> str:
    """Return how long a step took, or that it was in the cache."""
    if step.cached:
        return "cached"
    return "" if began is None else f"{time.monotonic() - began:.1f} s"
