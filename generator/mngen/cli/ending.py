"""SIGTERM and SIGHUP end a rehearsal or a build as Ctrl-C does: all that it started ends first."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType

from mngen.cli.ui import Ui

_SIGNALS = (signal.SIGTERM, signal.SIGHUP) if sys.platform != "win32" else (signal.SIGTERM,)


class _ToldToEnd(BaseException):
    """Like KeyboardInterrupt, nothing on the way up takes it for an error."""


def until_told(ui: Ui, work: Callable[[], int]) -> int:
    """Do the work and return its exit status, or 128 and the signal's number where one ended it.

    The signals are as before afterwards, unless one came: until the process ends none disturbs it again. One that is
    ignored (``nohup``) stays so.
    """
    told: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        for each in _SIGNALS:  # a second one must not stop the clearing away, here or when Python exits
            signal.signal(each, signal.SIG_IGN)
        told.append(number)
        raise _ToldToEnd

    before = {each: signal.getsignal(each) for each in _SIGNALS}
    for each, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(each, end)
    try:
        status = work()
    except BaseException:  # a closed terminal lets whatever draws on it fail as well
        if not told:
            raise
    finally:
        if not told:
            for each, handler in before.items():
                signal.signal(each, handler)
    if told:
        ui.problem(f"ended by {signal.Signals(told[0]).name}")
        return 128 + told[0]
    return status
