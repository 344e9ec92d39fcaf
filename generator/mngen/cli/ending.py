"""SIGTERM and SIGHUP end a command as Ctrl-C does: all that it started ends first, and its temporary folders go."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from mngen.cli.ui import Ui

_SIGNALS = (signal.SIGTERM, signal.SIGHUP) if sys.platform != "win32" else (signal.SIGTERM,)

_T = TypeVar("_T")


class _ToldToEnd(BaseException):
    """Like KeyboardInterrupt, nothing on the way up takes it for an error."""


def until_told(ui: Ui, work: Callable[[], _T]) -> _T | int:
    """Do the work and return what it returns, or 128 and the signal's number where one ended it.

    The signals are as before afterwards, unless one came: until the process ends none disturbs it again. One that is
    ignored (``nohup``) stays so. Only the main thread gets signals, and only there they can be asked for.
    """
    told: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        for each in _SIGNALS:  # a second one must not stop the clearing away, here or when Python exits
            signal.signal(each, signal.SIG_IGN)
        told.append(number)
        raise _ToldToEnd

    before = {each: signal.getsignal(each) for each in _SIGNALS if _thread_gets_signals()}
    for each, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(each, end)
    try:
        done = work()
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
    return done


def _thread_gets_signals() -> bool:
    return threading.current_thread() is threading.main_thread()
