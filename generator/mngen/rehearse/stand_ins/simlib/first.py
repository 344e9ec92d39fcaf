"""The first process of a container with PID namespace: the kernel ends all others with it."""

import os
import signal
from collections.abc import Callable

from simlib import kernel, wire


def run_below(program: Callable[[], None]) -> None:
    """Be PID 1 that passes signals to one child, collects orphans and ends with the child's status.

    As tini does for docker, catatonit for podman, and Apptainer itself with ``--pid``. A signal that its program has no
    trap for would not reach a PID 1.
    """
    child = os.fork()
    if child == 0:
        program()
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD):
            try:
                signal.signal(number, lambda received, _frame: kernel.signal_all([child], received))
            except OSError:
                continue
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            os._exit(wire.exit_status(status))
