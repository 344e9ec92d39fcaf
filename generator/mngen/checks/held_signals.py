"""Signals wait while a program starts: until it is known what to end, nothing may end this process."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if sys.platform != "win32" else ()))


class HeldSignals:
    """Signals that a function of Python's answers, kept until they are let go.

    They are not blocked, since the program that starts meanwhile would inherit that. Only the main thread gets them:
    https://docs.python.org/3/library/signal.html#signals-and-threads
    """

    def __init__(self) -> None:
        self._came: list[int] = []
        self._before: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if callable(handler := signal.getsignal(number)):
                    self._before[number] = handler
                    signal.signal(number, lambda number, _frame: self._came.append(number))

    def let_go(self) -> None:
        """Have them answered as before, those first that came."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for number in self._came:
            signal.raise_signal(number)
