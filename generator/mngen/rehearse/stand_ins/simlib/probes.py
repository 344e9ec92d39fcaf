"""Programs that stand for the user's own: a driver and a service that write down how they were called.

Both are on PATH where Ray is. What they do beyond that is ordered through faults: `driver` and
`service` are mappings with the keys named below.
"""

import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from simlib import kernel, wire
from simlib.place import Sim


def driver(root: str) -> int:
    """`sim-driver ARGS…`; keys: exit, sleep, connect (join Ray), traps (signal names that are noted and exit 0), output."""
    sim = Sim(root)
    orders: dict[str, Any] = sim.fault("driver", {})
    got: list[int] = []

    def on_signal(number: int, _frame: Any) -> None:
        got.append(number)
        sim.record("driver_signal", number=number, name=signal.Signals(number).name)

    for name in orders.get("traps", ()):
        signal.signal(getattr(signal, "SIG" + name), on_signal)
    # Whoever waits for this may send a signal at once.
    sim.record_call("driver", sys.argv[1:], fds=sorted(int(fd) for fd in os.listdir("/proc/self/fd")))
    print(orders.get("output", "driver: started"), flush=True)
    if orders.get("connect"):
        code = "import ray, json; ray.init(); print('driver: nodes', len(ray.nodes()), json.dumps(ray.cluster_resources()))"
        done = subprocess.run(["python3", "-c", code], check=False)
        if done.returncode:
            return done.returncode
    deadline = time.monotonic() + float(orders.get("sleep", 0))
    while time.monotonic() < deadline and not got:
        time.sleep(0.02)
    print("driver: ended", flush=True)
    return int(orders.get("signal_exit", 0) if got else orders.get("exit", 0))


def service(root: str) -> int:
    """`sim-service --port N ARGS…`; keys: delay (before it listens), die_after, exit."""
    sim = Sim(root)
    orders: dict[str, Any] = sim.fault("service", {})
    words = sys.argv[1:]
    sim.record_call("service", words)
    time.sleep(float(orders.get("delay", 0)))
    if "exit" in orders and "die_after" not in orders:
        print("service: told to fail", flush=True)
        return int(orders["exit"])
    if "die_after" in orders:
        threading.Timer(float(orders["die_after"]), lambda: os._exit(int(orders.get("exit", 1)))).start()
    port = next((int(b) for a, b in itertools.pairwise(words) if a == "--port"), None)
    if port is None:
        signal.pause()
        return 0
    server = (
        socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True)
        if os.path.exists("/proc/net/if_inet6")
        else socket.create_server(("", port))
    )
    print(f"service: listening on {port}", flush=True)
    while True:
        client, _address = server.accept()
        with client:
            client.settimeout(2)
            try:
                if client.recv(4096).startswith(b"GET "):
                    client.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n")
            except OSError:
                continue


def pty(_root: str) -> int:
    """`sim-pty COMMAND…`: run on a terminal; copy until every holder of the terminal is gone, as dstack's runner does."""
    pid, fd = os.forkpty()
    if pid == 0:
        os.execvp(sys.argv[1], sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: kernel.signal_all([pid], signal.SIGTERM))
    while True:
        try:
            data = os.read(fd, 65536)
        except OSError:  # EIO: the last holder has closed it
            break
        if not data:
            break
        os.write(1, data)
    return wire.exit_status(os.waitpid(pid, 0)[1])
