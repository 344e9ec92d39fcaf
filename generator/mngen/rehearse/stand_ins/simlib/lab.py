"""PID 1 of a simulation: makes the nodes and starts processes in them on request.

It runs inside network, mount, UTS, IPC and PID namespaces of its own, so that its end is the end of every
process, link and mount of the cluster. A node is a further set of namespaces held by one sleeping process.
Daemons that outlive the program that asks for them (slurmd's, a container engine's) are its children.
"""

import os
import selectors
import signal
import socket
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

from simlib import batchd, devices, engine, kernel, shadow, stepd, wire
from simlib.place import Sim

CALLS = {"stepd": stepd.run, "batchd": batchd.run, "engine": engine.run}


def _batch(ip: str, lines: list[str]) -> None:
    subprocess.run([ip, "-batch", "-"], input="\n".join(lines) + "\n", text=True, check=True)


def _node_mounts(sim: Sim, node: dict[str, Any]) -> None:
    home = sim.root / "nodes" / node["name"]
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    for name in node["keep"]:  # folders below /tmp that the programs need stay visible
        (home / "tmp" / name.removeprefix("/tmp/")).mkdir(parents=True, exist_ok=True)
        kernel.mount(name, f"{home}/tmp/{name.removeprefix('/tmp/')}", None, kernel.MS_BIND | kernel.MS_REC)
    kernel.mount(f"{home}/tmp", "/tmp", None, kernel.MS_BIND | kernel.MS_REC)
    devices.mount_node_devices(home, node, sim.config["vendor"])
    kernel.mount("shm", "/dev/shm", "tmpfs", 0, f"mode=1777,size={node['shm']}")
    for name in ("hosts", "nsswitch.conf", "gai.conf"):
        if Path("/etc", name).exists():
            kernel.mount(f"{home}/{name}", f"/etc/{name}", None, kernel.MS_BIND)


def _hold(sim: Sim, node: dict[str, Any], ready: int, go: int) -> None:
    kernel.unshare(kernel.CLONE_NEWNET | kernel.CLONE_NEWNS | kernel.CLONE_NEWUTS | kernel.CLONE_NEWIPC)
    kernel.set_hostname(node["name"])
    os.write(ready, b"n")
    os.read(go, 1)
    for path, value in node["sysctl"]:
        Path("/proc/sys/net", path).write_text(value)
    _batch(sim.config["ip"], node["ip_batch"])
    _node_mounts(sim, node)
    os.write(ready, b"u")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.SIG_IGN)
    while True:
        signal.pause()


class Lab:
    """The server: one request a connection; `started` and `exit` go back over it."""

    def __init__(self, root: str) -> None:
        self.sim = Sim(root)
        self.holders: dict[str, int] = {}
        self.children: dict[int, socket.socket] = {}
        self.selector = selectors.DefaultSelector()

    def start_nodes(self) -> None:
        """Make links first, then let the nodes configure themselves side by side."""
        kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
        shadow.enter(self.sim)
        kernel.set_hostname("login")
        ready_read, ready_write = os.pipe()
        go_read, go_write = os.pipe()
        for node in self.sim.config["nodes"]:
            pid = os.fork()
            if pid == 0:
                try:
                    _hold(self.sim, node, ready_write, go_read)
                except BaseException:
                    traceback.print_exc()
                    os._exit(1)
            self.holders[node["name"]] = pid
        self._await(ready_read, len(self.holders))
        lines = list(self.sim.config["login_batch"])
        for node in self.sim.config["nodes"]:
            pid = self.holders[node["name"]]
            for nic, port in node["ports"].items():
                lines += [f"link add {port} type veth peer name {nic} netns {pid}", f"link set {port} master br0 up"]
        _batch(self.sim.config["ip"], lines)
        os.write(go_write, b"g" * len(self.holders))
        self._await(ready_read, len(self.holders))

    @staticmethod
    def _await(fd: int, count: int) -> None:
        while count:
            count -= len(os.read(fd, count))

    def serve(self) -> None:
        """Answer until told to stop."""
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(self.sim.root / "lab.new"))
        server.listen(64)
        os.rename(self.sim.root / "lab.new", self.sim.root / "lab.sock")
        self.selector.register(server, selectors.EVENT_READ)
        self.selector.register(wake_read, selectors.EVENT_READ)
        self.selector.register(0, selectors.EVENT_READ)
        while True:
            for key, _events in self.selector.select():
                if key.fd == 0:  # the process that owns this cluster is gone
                    self.end()
                elif key.fileobj is server:
                    self._request(server.accept()[0])
                elif key.fd == wake_read:
                    os.read(wake_read, 4096)
            self._reap()

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            client = self.children.pop(pid, None)
            if client is not None:
                self._answer(client, {"exit": wire.exit_status(status)})
                client.close()

    @staticmethod
    def _answer(client: socket.socket, message: dict[str, Any]) -> None:
        try:
            wire.send(client, message)
        except OSError:
            return  # the one who asked is gone; the process is not

    def _request(self, client: socket.socket) -> None:
        try:
            message, fds = wire.receive(client)
        except (EOFError, OSError):
            client.close()
            return
        do = message["do"]
        if do in ("run", "call"):
            pid = os.fork()
            if pid == 0:
                self._child(message, fds)
            self.children[pid] = client
            self._answer(client, {"pid": pid})
        else:
            self._answer(client, getattr(self, f"do_{do}")(message))
            client.close()
        for fd in fds:
            os.close(fd)

    def _child(self, message: dict[str, Any], fds: list[int]) -> None:
        status = 70
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            kept = [os.dup(fd) for fd in fds]
            if message["do"] == "run":
                for target, fd in enumerate(kept):
                    os.dup2(fd, target)
                    os.close(fd)
                kept = []
            high = max([2, *kept])
            for fd in range(3, high):
                if fd not in kept:
                    try:
                        os.close(fd)
                    except OSError:
                        continue
            os.closerange(high + 1, 1024)
            self.enter(message.get("node"))
            if message["do"] == "run":
                os.chdir(message["cwd"])
                os.execvpe(message["argv"][0], message["argv"], self.sim.local(message["env"]))
            status = CALLS[message["function"]](self.sim, message["args"], kept)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)

    def enter(self, node: str | None) -> None:
        """Put this process on a node."""
        if node in self.holders:
            kernel.enter(self.holders[node])

    def end(self) -> None:
        """End everything: the kernel does, with the first process of these namespaces."""
        os._exit(0)

    def node_of(self, pid: int) -> str:
        """The node that a process is on."""
        try:
            name = os.readlink(f"/proc/{pid}/ns/net")
        except OSError:
            return "gone"
        for node, holder in self.holders.items():
            if os.readlink(f"/proc/{holder}/ns/net") == name:
                return node
        return "login"

    def do_ps(self, _message: dict[str, Any]) -> dict[str, Any]:
        """Every process but the lab's own."""
        rows = []
        for pid, parent in self.mine().items():
            try:
                raw = Path(f"/proc/{pid}/cmdline").read_bytes()
                name = Path(f"/proc/{pid}/comm").read_text().strip()
            except OSError:
                continue
            argv = raw.decode("utf-8", "replace").split("\0")[:-1]
            if not name.startswith("sim-"):
                rows.append({"pid": pid, "parent": parent, "node": self.node_of(pid), "argv": argv, "name": name})
        return {"processes": rows}

    def mine(self) -> dict[int, int]:
        """The processes of all nodes, each with its parent."""
        own = {1, *self.holders.values()}
        return {pid: parent for pid, parent in kernel.parents().items() if pid not in own}

    def do_kill(self, message: dict[str, Any]) -> dict[str, Any]:
        """Signal processes by number."""
        mine = self.mine()
        kernel.signal_all([pid for pid in message["pids"] if pid in mine], message["signal"])
        return {}

    def do_cut(self, message: dict[str, Any]) -> dict[str, Any]:
        """Take a node's cables out."""
        node = next(item for item in self.sim.config["nodes"] if item["name"] == message["node"])
        _batch(self.sim.config["ip"], [f"link set {port} down" for port in node["ports"].values()])
        return {}


def main(root: str) -> None:
    """Start the nodes, say so, serve."""
    lab = Lab(root)
    lab.start_nodes()
    lab.serve()


if __name__ == "__main__":
    main(sys.argv[1])
