"""One node of Ray: real processes that listen on real ports."""

import contextlib
import json
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

from simlib import kernel, ray_checks, ray_dashboard, ray_find, ray_gcs, ray_net, ray_ports
from simlib.options import RefusedError
from simlib.place import Sim

PYTHON_VERSION = ".".join(str(part) for part in sys.version_info[:3])
SOCKET_LIMIT = 107


class _Pipe:
    """A descriptor that looks like a socket to `Node.child`."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def fileno(self) -> int:
        """The descriptor."""
        return self.fd


class Node:
    """What one `ray start` brings up."""

    def __init__(self, sim: Sim, argv: list[str]) -> None:
        self.sim = sim
        self.version_text = str(sim.node().get("ray_version") or sim.config["ray"]["version"])
        self.version = tuple(int(part) for part in self.version_text.split("."))
        self.parsed = ray_checks.table(self.version).parse(argv)
        if self.parsed.words:
            raise RefusedError(f"Error: Got unexpected extra argument ({self.parsed.words[0]})", 2)
        self.head = self.parsed.has("head")
        self.address = self.parsed.last("address")
        if self.address == "auto":
            self.address = ray_find.address("auto")
        self.children: dict[int, str] = {}
        if self.head == (self.address is not None):
            raise RefusedError("Either `--head` or `--address` must be passed to `ray start`.")
        if not self.head:
            for name in ("port", "dashboard-port", "dashboard-host", "include-dashboard", "ray-client-server-port"):
                if self.parsed.has(name) and name != "include-dashboard":
                    raise RefusedError(f"`--{name}` should only be specified when starting head node (`--head`).")
            if ray_checks.truth(self.parsed.last("include-dashboard"), "include-dashboard") and self.parsed.has(
                "include-dashboard"
            ):
                raise RefusedError("`--include-dashboard` should only be specified when starting head node.")
            try:
                ray_net.split_address(self.address or "")
            except ValueError as error:
                raise RefusedError(f"ValueError: {error}") from error
        self.gpus = ray_checks.number(self.parsed, "num-gpus", sim.node()["gpus"])
        ray_checks.check_gpus(sim, self.gpus, self.version)
        ray_checks.check_client(sim, self.parsed)
        ray_checks.check_store(ray_checks.number(self.parsed, "object-store-memory", 0), sim.shm_free())
        self.ip = ray_checks.own_address(self.parsed, self.address, self.version)
        if ":" in self.ip and self.version < (2, 49):
            raise RefusedError(f"ValueError: too many values to unpack (Invalid gcs_address: {self.ip})")
        try:
            self.token = ray_net.token(self.version)
        except (RuntimeError, OSError) as error:
            raise RefusedError(f"RuntimeError: {error}") from error
        self.own_resources = ray_checks.resources(self.parsed)
        self.ports = ray_ports.chosen(self.parsed, head=self.head)
        if not sim.config["ray"]["client"]:
            self.ports.pop("ray-client-server-port", None)
        ray_ports.check(self.ports, self.parsed)
        self.stamp = f"session_2026-01-01_00-00-00_000000_{os.getpid()}"

    def hello(self, op: str) -> dict[str, Any]:
        """The fields of every message to the head."""
        return {
            "op": op,
            "token": self.token,
            "version": self.version_text,
            "python": self.sim.node().get("python_version") or PYTHON_VERSION,
        }

    def session(self, temp: str, name: str) -> Path:
        """Make the session's folders; the longest socket path must fit."""
        folder = Path(temp, name)
        longest = f"{self.sim.shown(temp)}/session_2026-01-01_00-00-00_000000_9999999/sockets/plasma_store"
        if len(os.fsencode(longest)) > SOCKET_LIMIT:
            raise RefusedError(
                f"OSError: validate_socket_filename failed: AF_UNIX path length cannot exceed 107 bytes: {longest}"
            )
        for part in ("logs", "sockets"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        link = Path(temp, "session_latest")
        link.unlink(missing_ok=True)
        link.symlink_to(folder.name)
        (folder / "logs" / "raylet.out").write_text("raylet of " + self.sim.here + "\n")
        return folder

    def resources(self) -> dict[str, float]:
        """What the node offers, less what a fault hides."""
        found = {
            "CPU": float(ray_checks.number(self.parsed, "num-cpus", os.cpu_count() or 1)),
            f"node:{self.ip}": 1.0,
            "memory": 1e9,
            "object_store_memory": 1e8,
        }
        gpus = self.sim.fault("ray_gpus", self.gpus)
        if gpus:
            found["GPU"] = float(gpus)
        found.update(self.own_resources)
        if self.head:
            found["node:__internal_head__"] = 1.0
        return found

    def child(self, name: str, work: Any, sockets: list[socket.socket]) -> None:
        """Fork one of Ray's processes; it keeps only its own sockets."""
        pid = os.fork()
        if pid:
            self.children[pid] = name
            return
        status = 1
        try:
            kernel.prctl(kernel.PR_SET_NAME, name.encode())
            if self.parsed.has("block"):
                kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            kept = [sock.fileno() for sock in sockets]
            null = os.open("/dev/null", os.O_RDWR)
            os.dup2(null, 0)
            if not self.parsed.has("block"):
                os.dup2(null, 1)
                os.dup2(null, 2)
            for fd in range(3, 256):
                if fd not in kept:
                    try:
                        os.close(fd)
                    except OSError:
                        continue
            status = work() or 0
        except Exception as error:
            print(f"{name}: {error!r}", file=sys.stderr)
        finally:
            os._exit(status)

    def start_head(self) -> None:
        """GCS, dashboard and raylet of the head."""
        include = ray_checks.truth(self.parsed.last("include-dashboard"), "include-dashboard")
        host = (self.parsed.last("dashboard-host") or ("::1" if ":" in self.ip else "127.0.0.1")) if include else None
        if host is not None and ":" in host and self.version < (2, 52):
            print("Address family for hostname not supported", file=sys.stderr)
            host = None
        sockets, numbers = ray_ports.bind(
            self.ports, self.ip, {"localhost": "127.0.0.1", "0.0.0.0": "0.0.0.0"}.get(host or "", host)
        )
        temp = self.parsed.last("temp-dir") or ray_find.temp_dir()
        folder = self.session(temp, self.stamp)
        self.address = f"[{self.ip}]:{numbers['port']}" if ":" in self.ip else f"{self.ip}:{numbers['port']}"
        url = None
        if "dashboard-port" in numbers:
            shown = self.ip if host in ("0.0.0.0", "::") else host
            url = (
                f"http://[{shown}]:{numbers['dashboard-port']}"
                if ":" in str(shown)
                else f"http://{shown}:{numbers['dashboard-port']}"
            )
        hello = self.hello("join")
        info = {
            "token": self.token,
            "version": hello["version"],
            "python": hello["python"],
            "temp_dir": temp,
            "session": self.stamp,
            "dashboard": url,
            "health_s": self.sim.config["ray"]["health_s"],
        }
        time.sleep(self.sim.fault("gcs_delay", 0))
        self.child("gcs_server", ray_gcs.Gcs(sockets["port"], info).serve, [sockets["port"]])
        if url is not None:
            jobs = ray_dashboard.Jobs(self.address, self.token, folder / "logs")
            self.child(
                "dashboard", lambda: ray_dashboard.serve(sockets["dashboard-port"], jobs), [sockets["dashboard-port"]]
            )
        self.start_raylet(
            [sockets[name] for name in sockets if name not in ("port", "dashboard-port")], numbers, folder
        )

    def start_worker(self) -> None:
        """Wait for the head, then join."""
        limit = time.monotonic() + self.sim.config["ray"]["join_s"]
        while True:
            try:
                info = ray_net.ask(self.address or "", {**self.hello("info")})
                break
            except ray_net.NoClusterError as error:
                if "Version mismatch" in str(error) or "Unauthenticated" in str(error) or time.monotonic() > limit:
                    raise RefusedError(f"RuntimeError: {error}") from error
                time.sleep(0.1)
        sockets, numbers = ray_ports.bind(self.ports, self.ip, None)
        if self.parsed.has("temp-dir") and self.version < (2, 55):
            print(
                "`--temp-dir` option will be ignored. `--head` is a required flag to use `--temp-dir`.", file=sys.stderr
            )
        folder = self.session(self.sim.local_path(info["temp_dir"]), info["session"])
        self.start_raylet(list(sockets.values()), numbers, folder)

    def start_raylet(self, sockets: list[socket.socket], numbers: dict[str, int], folder: Path) -> None:
        """The node's own daemon, and proof that it joined."""
        name = self.parsed.last("node-name") or self.ip
        entry = {
            "NodeID": os.urandom(28).hex(),
            "NodeManagerAddress": self.ip,
            "NodeManagerHostname": self.sim.here,
            "NodeName": name,
            "NodeManagerPort": numbers["node-manager-port"],
            "ObjectManagerPort": numbers["object-manager-port"],
            "MetricsExportPort": numbers["metrics-export-port"],
            "Resources": self.resources(),
            "Labels": {},
            "RayletSocketName": f"{folder}/sockets/raylet",
            "ObjectStoreSocketName": f"{folder}/sockets/plasma_store",
            "alive": True,
        }
        read, write = os.pipe()
        self.child("raylet", lambda: self.raylet(entry), [*sockets, _Pipe(write)])  # type: ignore[list-item]
        os.close(write)
        self.joined = read
        ray_find.note(self.address or "", str(folder.parent))
        for sock in sockets:
            sock.close()
        self.sim.record("ray_node", address=self.address, ports=numbers, entry=entry, head=self.head)

    def raylet(self, entry: dict[str, Any]) -> int:
        """Join, start one worker process, answer pings, die with a lost head after a while."""
        ray_find.mark(self.address or "")
        if self.sim.fault("ray_never_join"):
            signal.pause()
        with ray_net.connect(self.address or "", 30) as sock, sock.makefile("r") as lines:
            sock.settimeout(None)
            sock.sendall(json.dumps({**self.hello("join"), "node": entry}).encode() + b"\n")
            answer = json.loads(lines.readline() or '{"error": "GCS closed the connection"}')
            if "error" in answer:
                print(answer["error"], file=sys.stderr)
                return 1
            if os.fork() == 0:
                kernel.prctl(kernel.PR_SET_NAME, b"ray::IDLE")
                kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
                self.sim.record_call("ray_worker", sys.argv)
                signal.pause()
            die = self.sim.fault("ray_die_after")
            if die is not None:
                threading.Timer(float(die), lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
            with contextlib.suppress(ConnectionError):  # a head that ends may leave words unread: a reset
                for _line in lines:
                    sock.sendall(b"{}\n")
        time.sleep(self.sim.config["ray"]["reconnect_s"])
        print(
            "raylet: Failed to connect to GCS within the reconnect timeout. GCS may have been killed.", file=sys.stderr
        )
        return 1
