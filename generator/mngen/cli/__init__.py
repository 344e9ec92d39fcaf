"""The command line: parse, call, report, exit. One module for each command."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of this process.

    Everything else is imported in here, so that an interrupt during the imports is as quiet as any other.
    """
    # A command is short and keeps nearly all that it makes: looking for garbage takes time and finds none.
    gc.disable()
    try:
        status: int = import_module("mngen.cli.app").run(sys.argv[1:])
    except KeyboardInterrupt:
        status = 130
    gc.freeze()  # Python looks once more as it ends
    sys.exit(status)
