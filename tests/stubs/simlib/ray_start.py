"""`ray start`: checks what Ray checks, then leaves real processes that listen on real ports.

Seen on Ray 2.52: with `--block` the command leads its own process group, ends with status 1 on TERM and takes its
processes with it, also when it is killed (its reaper does that); an unexpected end of one of them ends it.
"""

import json
import os
import platform
import signal
import socket
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from simlib import kernel, ray_dashboard, ray_gcs, ray_net, ray_ports
from simlib.options import Parsed, Refused, Table
from simlib.place import Sim

OPTIONS = """
node-ip-address= address= port= object-manager-port= node-manager-port= min-worker-port= max-worker-port=
worker-port-list= ray-client-server-port= object-store-memory= num-cpus= num-gpus= resources= head include-dashboard=
dashboard-host= dashboard-port= dashboard-agent-listen-port= dashboard-agent-grpc-port= runtime-env-agent-port= block
plasma-directory= object-spilling-directory= autoscaling-config= no-redirect-output temp-dir= metrics-export-port=
ray-debugger-external disable-usage-stats include-log-monitor= log-style= log-color= v/verbose help node-name=
labels= tracing-startup-hook= no-monitor system-config= redis-password= redis-username= redis-shard-ports=
"""
ADDED = {(2, 50): "labels-file= enable-resource-isolation system-reserved-cpu= system-reserved-memory="}
SOCKET_LIMIT = 107


def _table(version: tuple[int, ...]) -> Table:
    newer = " ".join(text for since, text in ADDED.items() if version >= since)
    return Table("ray start", f"{OPTIONS} {newer}", posix=False)


def _truth(text: str | None, name: str) -> bool:
    words = {"1": True, "t": True, "true": True, "y": True, "yes": True, "on": True, "0": False, "f": False, "false": False, "n": False, "no": False, "off": False}
    if text is None:
        return True
    if text.lower() not in words:
        raise Refused(f"Error: Invalid value for '--{name}': '{text}' is not a valid boolean.", 2)
    return words[text.lower()]


def _number(parsed: Parsed, name: str, default: int) -> int:
    text = parsed.last(name)
    if text is None:
        return default
    if not text.isdigit():
        raise Refused(f"Error: Invalid value for '--{name}': '{text}' is not a valid integer.", 2)
    return int(text)


def _own_address(parsed: Parsed, address: str | None, version: tuple[int, ...]) -> str:
    given = parsed.last("node-ip-address")
    if given is not None:
        if "[" in given or not given:
            raise Refused(f"node IP address {given!r} has brackets or is empty (the real head hangs)")
        family = socket.AF_INET6 if ":" in given else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            try:
                probe.bind((given, 0))
            except OSError as error:
                raise Refused(f"ray.exceptions.RpcError: {given} is not an address of this node: {error.strerror}") from error
        return given
    target = ray_net.split_address(address)[0] if address else "8.8.8.8"
    try:
        family, kind, proto, _name, place = socket.getaddrinfo(target, 1, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind, proto) as probe:
            probe.connect(place)
            own = str(probe.getsockname()[0])
    except OSError:
        own = "127.0.0.1"
    return "127.0.0.1" if ":" in own and version < (2, 52) else own


def _check_gpus(sim: Sim, wanted: int, version: tuple[int, ...]) -> None:
    if sim.config["vendor"] == "rocm" and version >= (2, 45) and "ROCR_VISIBLE_DEVICES" in os.environ and wanted:
        raise Refused("ValueError: Please use HIP_VISIBLE_DEVICES instead of ROCR_VISIBLE_DEVICES")
    name = "CUDA_VISIBLE_DEVICES" if sim.config["vendor"] == "cuda" else "HIP_VISIBLE_DEVICES" if version >= (2, 45) else "ROCR_VISIBLE_DEVICES"
    value = os.environ.get(name)
    if value is not None:
        ids = [] if value in ("", "NoDevFiles", "-1") else value.split(",")
        if wanted > len(ids):
            raise Refused(f"ValueError: Attempting to start raylet with {wanted} GPU, but {name} contains {ids}.")


def _check_store(size: int) -> None:
    stat = os.statvfs("/dev/shm")  # noqa: S108
    if size > stat.f_bavail * stat.f_frsize and "RAY_OBJECT_STORE_ALLOW_SLOW_STORAGE" not in os.environ:
        raise Refused(f"ValueError: The configured object store size ({size}) exceeds /dev/shm size ({stat.f_bavail * stat.f_frsize}).")


class Node:
    """What one `ray start` brings up."""

    def __init__(self, sim: Sim, argv: list[str]) -> None:
        self.sim = sim
        self.version_text = str(sim.node().get("ray_version") or sim.config["ray"]["version"])
        self.version = tuple(int(part) for part in self.version_text.split("."))
        self.parsed = _table(self.version).parse(argv)
        if self.parsed.words:
            raise Refused(f"Error: Got unexpected extra argument ({self.parsed.words[0]})", 2)
        self.head = self.parsed.has("head")
        self.address = self.parsed.last("address")
        self.children: dict[int, str] = {}
        if self.head == (self.address is not None):
            raise Refused("Either `--head` or `--address` must be passed to `ray start`.")
        if not self.head:
            for name in ("port", "dashboard-port", "dashboard-host", "include-dashboard", "ray-client-server-port"):
                if self.parsed.has(name) and name != "include-dashboard":
                    raise Refused(f"`--{name}` should only be specified when starting head node (`--head`).")
            if _truth(self.parsed.last("include-dashboard"), "include-dashboard") and self.parsed.has("include-dashboard"):
                raise Refused("`--include-dashboard` should only be specified when starting head node.")
            try:
                ray_net.split_address(self.address or "")
            except ValueError as error:
                raise Refused(f"ValueError: {error}") from error
        self.gpus = _number(self.parsed, "num-gpus", sim.node()["gpus"])
        _check_gpus(sim, self.gpus, self.version)
        _check_store(_number(self.parsed, "object-store-memory", 0))
        self.ip = _own_address(self.parsed, self.address, self.version)
        if ":" in self.ip and self.version < (2, 49):
            raise Refused(f"ValueError: too many values to unpack (Invalid gcs_address: {self.ip})")
        try:
            self.token = ray_net.token(self.version)
        except (RuntimeError, OSError) as error:
            raise Refused(f"RuntimeError: {error}") from error
        self.ports = ray_ports.chosen(self.parsed, head=self.head)
        ray_ports.check(self.ports, self.parsed)
        self.stamp = f"session_2026-01-01_00-00-00_000000_{os.getpid()}"

    def hello(self, op: str) -> dict[str, Any]:
        """The fields of every message to the head."""
        return {"op": op, "token": self.token, "version": self.version_text, "python": self.sim.node().get("python_version") or platform.python_version()}

    def session(self, temp: str, name: str) -> Path:
        """Make the session's folders; the longest socket path must fit."""
        folder = Path(temp, name)
        longest = f"{temp}/session_2026-01-01_00-00-00_000000_9999999/sockets/plasma_store"
        if len(os.fsencode(longest)) > SOCKET_LIMIT:
            raise Refused(f"OSError: validate_socket_filename failed: AF_UNIX path length cannot exceed 107 bytes: {longest}")
        for part in ("logs", "sockets"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        link = Path(temp, "session_latest")
        link.unlink(missing_ok=True)
        link.symlink_to(folder.name)
        (folder / "logs" / "raylet.out").write_text("raylet of " + self.sim.here + "\n")
        return folder

    def resources(self) -> dict[str, float]:
        """What the node offers, less what a fault hides."""
        found = {"CPU": float(_number(self.parsed, "num-cpus", os.cpu_count() or 1)), f"node:{self.ip}": 1.0, "memory": 1e9, "object_store_memory": 1e8}
        gpus = self.sim.fault("ray_gpus", self.gpus)
        if gpus:
            found["GPU"] = float(gpus)
        if self.parsed.has("resources"):
            found.update({name: float(value) for name, value in json.loads(self.parsed.last("resources") or "{}").items()})
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
        except Exception as error:  # noqa: BLE001 - a daemon's last words
            print(f"{name}: {error!r}", file=sys.stderr)
        finally:
            os._exit(status)

    def start_head(self) -> None:
        """GCS, dashboard and raylet of the head."""
        include = _truth(self.parsed.last("include-dashboard"), "include-dashboard")
        host = (self.parsed.last("dashboard-host") or ("::1" if ":" in self.ip else "127.0.0.1")) if include else None
        if host is not None and ":" in host and self.version < (2, 52):
            print("Address family for hostname not supported", file=sys.stderr)
            host = None
        sockets, numbers = ray_ports.bind(self.ports, self.ip, {"localhost": "127.0.0.1", "0.0.0.0": "0.0.0.0"}.get(host or "", host))  # noqa: S104
        temp = self.parsed.last("temp-dir") or os.environ.get("RAY_TMPDIR", os.environ.get("TMPDIR", "/tmp")) + "/ray"  # noqa: S108
        folder = self.session(temp, self.stamp)
        self.address = f"[{self.ip}]:{numbers['port']}" if ":" in self.ip else f"{self.ip}:{numbers['port']}"
        url = None
        if "dashboard-port" in numbers:
            shown = self.ip if host in ("0.0.0.0", "::") else host  # noqa: S104
            url = f"http://[{shown}]:{numbers['dashboard-port']}" if ":" in str(shown) else f"http://{shown}:{numbers['dashboard-port']}"
        hello = self.hello("join")
        info = {"token": self.token, "version": hello["version"], "python": hello["python"], "temp_dir": temp, "session": self.stamp, "dashboard": url, "health_s": self.sim.config["ray"]["health_s"]}
        time.sleep(self.sim.fault("gcs_delay", 0))
        self.child("gcs_server", ray_gcs.Gcs(sockets["port"], info).serve, [sockets["port"]])
        if url is not None:
            jobs = ray_dashboard.Jobs(self.address, self.token, folder / "logs")
            self.child("dashboard", lambda: ray_dashboard.serve(sockets["dashboard-port"], jobs), [sockets["dashboard-port"]])
        self.start_raylet([sockets[name] for name in sockets if name not in ("port", "dashboard-port")], numbers, folder)

    def start_worker(self) -> None:
        """Wait for the head, then join."""
        limit = time.monotonic() + self.sim.config["ray"]["join_s"]
        while True:
            try:
                info = ray_net.ask(self.address or "", {**self.hello("info")})
                break
            except ray_net.NoCluster as error:
                if "Version mismatch" in str(error) or "Unauthenticated" in str(error) or time.monotonic() > limit:
                    raise Refused(f"RuntimeError: {error}") from error
                time.sleep(0.1)
        sockets, numbers = ray_ports.bind(self.ports, self.ip, None)
        if self.parsed.has("temp-dir") and self.version < (2, 55):
            print("`--temp-dir` option will be ignored. `--head` is a required flag to use `--temp-dir`.", file=sys.stderr)
        folder = self.session(info["temp_dir"], info["session"])
        self.start_raylet(list(sockets.values()), numbers, folder)

    def start_raylet(self, sockets: list[socket.socket], numbers: dict[str, int], folder: Path) -> None:
        """The node's own daemon, and proof that it joined."""
        name = self.parsed.last("node-name") or self.ip
        entry = {"NodeID": uuid.uuid4().hex, "NodeManagerAddress": self.ip, "NodeManagerHostname": self.sim.here, "NodeName": name, "NodeManagerPort": numbers["node-manager-port"], "ObjectManagerPort": numbers["object-manager-port"], "MetricsExportPort": numbers["metrics-export-port"], "Resources": self.resources(), "Labels": {}, "RayletSocketName": f"{folder}/sockets/raylet", "ObjectStoreSocketName": f"{folder}/sockets/plasma_store", "alive": True}
        read, write = os.pipe()
        self.child("raylet", lambda: self.raylet(entry), [*sockets, _Pipe(write)])  # type: ignore[list-item]
        os.close(write)
        self.joined = read
        for sock in sockets:
            sock.close()
        self.sim.record("ray_node", address=self.address, ports=numbers, entry=entry, head=self.head)

    def raylet(self, entry: dict[str, Any]) -> int:
        """Join, start one worker process, answer pings, die with a lost head after a while."""
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
            for _line in lines:
                sock.sendall(b"{}\n")
        time.sleep(self.sim.config["ray"]["reconnect_s"])
        print("raylet: Failed to connect to GCS within the reconnect timeout. GCS may have been killed.", file=sys.stderr)
        return 1


class _Pipe:
    """A descriptor that looks like a socket to `Node.child`."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def fileno(self) -> int:
        """The descriptor."""
        return self.fd


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
            print(f"Some Ray subprocesses exited unexpectedly:\n  {name} [exit code={code}]\n\nRemaining processes will be killed.", file=sys.stderr, flush=True)
            _stop(node)
            return 1


def _stop(node: Node) -> None:
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
            _stop(node)
            os._exit(1)

        signal.signal(signal.SIGTERM, on_term)
    time.sleep(sim.fault("ray_start_delay", 0))
    if node.head:
        node.start_head()
    else:
        node.start_worker()
    print(f"Local node IP: {node.ip}\n\n--------------------\nRay runtime started.\n--------------------\n", flush=True)
    return _block(node) if block else 0
