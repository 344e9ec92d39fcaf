"""How a round is watched: a line for each node on a terminal, drawn anew at each event; elsewhere a line an event."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mngen.cli.ui import Ui
from mngen.rehearse.view import STEPS, Event

if TYPE_CHECKING:
    from rich.table import Table

Show = Callable[[Event], None]


@contextmanager
def showing(ui: Ui, nodes: Sequence[str]) -> Iterator[Show]:
    """Yield what shows an event on the user's stderr, as long as the round goes on."""
    if ui.verbosity < 0 or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb" or not _can_draw():
        yield lambda event: ui.say(line(event))
        return
    from rich.console import Console  # noqa: PLC0415 - heavy
    from rich.live import Live  # noqa: PLC0415 - heavy

    board = Board(nodes)
    console = Console(stderr=True, no_color=not ui.color_err, highlight=False)
    with Live(board.table(), console=console, auto_refresh=False) as live:

        def show(event: Event) -> None:
            board.take(event)
            live.update(board.table(), refresh=True)

        yield show


def _can_draw() -> bool:
    """Tell whether rich is there, which comes with the extra ``build``."""
    try:
        importlib.import_module("rich.live")
    except ImportError:
        return False
    return True


def line(event: Event) -> str:
    """Return an event as a line."""
    return f"{event.at:6.1f} s  {event.node:<12} {event.step:<9} {event.detail}".rstrip()


class Board:
    """What is known of each node, one line for each."""

    def __init__(self, nodes: Sequence[str]) -> None:
        self._cells: dict[str, dict[str, str]] = {node: {} for node in nodes}

    def take(self, event: Event) -> None:
        """Write an event into its node's line: when it was, or what it says."""
        cells = self._cells.setdefault(event.node, {})
        when = f"{event.at:.1f} s"
        if event.step == "services":
            count = int(cells.get("services", "0").split()[0]) + 1
            cells["services"] = f"{count} at {when}"
        elif event.step in ("address", "end"):
            cells[event.step] = event.detail if event.step == "address" else f"{event.detail} at {when}"
        else:
            cells[event.step] = when

    def table(self) -> Table:
        """Return all lines."""
        from rich.table import Table  # noqa: PLC0415 - heavy
        from rich.text import Text  # noqa: PLC0415 - heavy

        table = Table("node", *STEPS, box=None, pad_edge=False, header_style="bold")
        for node, cells in self._cells.items():
            table.add_row(Text(node), *(Text(cells.get(step, "")) for step in STEPS))
        return table
