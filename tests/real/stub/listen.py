#!/usr/bin/env python3
"""In place of Ray's command: a node that joins by a file, which costs a machine that is a thousand nodes nothing."""

import argparse
import signal
import socket
from pathlib import Path

JOINED = Path(__file__).resolve().parents[1] / "joined"
parser = argparse.ArgumentParser()
parser.add_argument("command", choices=["start"])
parser.add_argument("--head", action="store_true")
for name in ("--port", "--node-ip-address", "--node-name", "--num-gpus"):
    parser.add_argument(name)
given, _ = parser.parse_known_args()
if not (JOINED / f"not-{given.node_name}").exists():
    (JOINED / given.node_name).write_text(given.num_gpus)
if given.head:
    listening = socket.create_server((given.node_ip_address, int(given.port)), backlog=4096)
    while True:
        listening.accept()[0].close()
signal.pause()
