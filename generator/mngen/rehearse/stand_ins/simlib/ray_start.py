"""`ray start`: in the foreground with `--block`, else a daemon.

Seen on Ray 2.52: with `--block` the command leads its own process group, ends with status 1 on TERM and takes its
processes with it, also when it is killed (its reaper does that); an unexpected end of one of them ends it.
"""

import os
import signal
import sys
import time
from typing import Any

from simlib import kernel
from simlib.place import Sim
from simlib.ray_node import Node


def _block(node: Node) -> int:
    print("--block\n  This command will now block forever until terminated by a signal.", flush=True)
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            time.sleep(0.2)
            continue
        name = node.children.pop(pid, "")
        graceful = (0, 15, 143, -15)
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        if code not in graceful:
            print(
                f"Some Ray subprocesses exited unexpectedly:\n  {name} [exit code={code}]\n\nRemaining processes will be killed.",
                file=sys.stderr,
                flush=True,
            )
            stop(node)
            return 1


def stop(node: Node) -> None:
    """Kill what this command started."""
    for pid in node.children:
        for below in kernel.descendants(pid):
            kernel.signal_all([below], signal.SIGKILL)
    kernel.signal_all(list(node.children), signal.SIGKILL)


def start(sim: Sim, argv: list[str]) -> int:
    """Run `ray start`."""
    if sim.fault("ray_start_exit") is not None:
        print("ray start: told to fail", file=sys.stderr)
        return int(sim.fault("ray_start_exit"))
    node = Node(sim, argv)
    if node.parsed.has("help"):
        return 0
    block = node.parsed.has("block")
    if block:
        if os.getpgrp() != os.getpid():
            os.setpgrp()

        def on_term(_number: int, _frame: Any) -> None:
            stop(node)
            os._exit(1)

        signal.signal(signal.SIGTERM, on_term)
    time.sleep(sim.fault("ray_start_delay", 0))
    if node.head:
        node.start_head()
    else:
        node.start_worker()
    print(f"Local node IP: {node.ip}\n\n--------------------\nRay runtime started.\n--------------------\n", flush=True)
    return _block(node) if block else 0
