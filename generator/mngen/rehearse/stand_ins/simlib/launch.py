"""What every launcher calls: run a program's `main`, show refusals as that program's errors."""

import importlib
import os
import sys
import threading

from simlib.options import RefusedError


def start(module: str, function: str, root: str) -> None:
    """Run and exit. A limit on the stack that suits a large node does not keep a small machine from having threads."""
    threading.stack_size(1 << 20)
    if os.environ.get("SIM_NODE"):  # a node of plain processes
        importlib.import_module("simlib.loopback").install(root)
    try:
        status = getattr(importlib.import_module(f"simlib.{module}"), function)(root)
    except RefusedError as error:
        print(error, file=sys.stderr)
        status = error.status
    except (OSError, ValueError) as error:  # of the machine, or of words that nothing above has looked at
        print(f"{os.path.basename(sys.argv[0])}: error: {error}", file=sys.stderr)
        status = 1
    sys.stdout.flush()
    sys.exit(status)
