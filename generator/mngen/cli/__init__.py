"""The command line: parse, call, report, exit. One module for each command."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of this process, and end the process.

    Everything else is imported in here, so that an interrupt during the imports is as quiet as any other.
    """
    # A command is short and keeps nearly all that it makes: looking for garbage takes time and finds none.
    gc.disable()
    try:
        status: int = import_module("mngen.cli.app").run(sys.argv[1:])
    except KeyboardInterrupt:
        status = 130
    _leave(status)


def _leave(status: int) -> NoReturn:
    """Hand over what was printed and end at once.

    Nothing of mngen waits for Python to take itself apart, which would cost as much as planning the files of a manifest
    and in which an interrupt would show a traceback.
    """
    atexit._run_exitfuncs()  # noqa: SLF001 - rehearsals clear away by these, and there is no public way
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed, or full: the command has said so by its status
            stream.flush()
    os._exit(status)
