"""The head's table of nodes: who joined, with what, and who still answers."""

import json
import select
import socket
import threading
import time
from typing import Any


class Gcs:
    """A small server; every joined node keeps its connection open and answers pings over it."""

    def __init__(self, server: socket.socket, info: dict[str, Any]) -> None:
        self.server = server
        self.info = info
        self.nodes: dict[str, dict[str, Any]] = {}
        self.lock = threading.Lock()

    def serve(self) -> None:
        """Accept for ever."""
        while True:
            sock, _address = self.server.accept()
            threading.Thread(target=self._client, args=(sock,), daemon=True).start()

    def _client(self, sock: socket.socket) -> None:
        with sock, sock.makefile("r", errors="replace") as lines:
            try:
                line = lines.readline()
                message = json.loads(line) if line else None
            except (OSError, ValueError):
                return
            if not isinstance(message, dict):
                return
            refusal = self._refusal(message)
            try:
                sock.sendall(json.dumps(refusal or self._answer(message)).encode() + b"\n")
                if refusal is None and message["op"] == "join":
                    self._watch(sock, lines, message["node"]["NodeID"])
            except OSError:
                return

    def _refusal(self, message: dict[str, Any]) -> dict[str, Any] | None:
        if message.get("token") != self.info["token"]:
            return {"error": "Unauthenticated: InvalidAuthToken: Invalid authentication token"}
        for what in ("version", "python"):
            if message.get(what, self.info[what]) != self.info[what]:
                return {
                    "error": f"Version mismatch: The cluster was started with:\n    Ray: {self.info['version']}\n    Python: {self.info['python']}\nThis process was started with:\n    Ray: {message['version']}\n    Python: {message['python']}"
                }
        return None

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        with self.lock:
            if message["op"] == "join":
                self.nodes[message["node"]["NodeID"]] = {**message["node"], "Alive": True}
                return {"temp_dir": self.info["temp_dir"], "session": self.info["session"]}
            if message["op"] == "nodes":
                return {"nodes": list(self.nodes.values())}
            if message["op"] == "info":
                return {name: self.info[name] for name in ("dashboard", "version", "session", "temp_dir")}
        return {"error": f"unknown operation {message['op']}"}

    def _watch(self, sock: socket.socket, lines: Any, node: str) -> None:
        """Ping the node; the end of its connection or a silence means that it is dead."""
        sock.settimeout(1)
        last = time.monotonic()
        try:
            while time.monotonic() - last < self.info["health_s"]:
                sock.sendall(b"{}\n")
                ready, _, _ = select.select([sock], [], [], 0.2)
                if ready:
                    if not lines.readline():
                        break
                    last = time.monotonic()
                time.sleep(0.1)
        except OSError:
            pass
        with self.lock:
            self.nodes[node]["Alive"] = False
