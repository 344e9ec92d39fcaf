"""The container engine: containers live in PID namespaces of their own and outlive the client that started them.

docker's containers are children of a daemon outside every job; podman's hang below a detached `conmon` that the
client left behind. Both give the container's stdin an end when the client is gone.
"""

import json
import os
import re
import select
import signal
import socket
import sys
from typing import Any

from simlib import first, frames, kernel, rootfs, wire
from simlib.options import RefusedError, Table
from simlib.place import Sim


def _program(args: dict[str, Any]) -> None:
    env = args["env"]
    if args["user"]:
        uid, _, gid = args["user"].partition(":")
        try:
            os.setgroups([])
            os.setgid(int(gid or uid))
            os.setuid(int(uid))
        except OSError:
            pass  # a user namespace with one id; the record tells what was asked
    os.environ["PATH"] = env["PATH"]
    try:
        os.execvpe(args["argv"][0], args["argv"], env)
    except OSError as error:
        print(f'exec: "{args["argv"][0]}": {error.strerror}', file=sys.stderr, flush=True)
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def _container(sim: Sim, args: dict[str, Any], pipes: list[int]) -> None:
    """The container's first process."""
    os.setsid()
    for target, fd in enumerate(pipes):
        os.dup2(fd, target)
    os.closerange(3, 256)
    if not args["host_pid"]:  # the first of a PID namespace inherits orphans; where there is none, it has to ask
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    root = rootfs.Root(
        mounts=[rootfs.Mount(**mount) for mount in args["mounts"]],
        own_proc=not args["host_pid"],
        dev=args["devices"],
        shm=args["shm"],
        writable=not args["read_only"],
    )
    try:
        rootfs.enter(sim, root)
        os.makedirs(args["workdir"], exist_ok=True)
        rootfs.change_folder(args["workdir"])
    except (RefusedError, OSError) as error:
        print(f"{args['program']}: Error response from daemon: {error}", file=sys.stderr, flush=True)
        os._exit(125)
    if args["init"]:
        first.run_below(lambda: _program(args))
    _program(args)


def _serve(sim: Sim, args: dict[str, Any], far: list[int]) -> int:
    """Run one container; its output goes on even when nobody reads it."""
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # as each engine's monitor does
    rootfs.own_namespaces(pid=not args["host_pid"], network=not args["host_network"])
    pid = os.fork()
    if pid == 0:
        try:
            _container(sim, args, [far[0], out_write, err_write])
        finally:
            os._exit(125)
    os.close(out_write)
    os.close(err_write)
    os.close(far[0])
    with sim.locked(f"containers-{sim.here}") as containers:
        containers.setdefault(args["name"], {}).update(state="running", pid=pid, env=args["env"])
    targets = {out_read: frames.Outbox(far[1]), err_read: frames.Outbox(far[2])}
    ended: int | None = None
    while targets:
        if ended is None:
            ended = _ended(pid, os.WNOHANG)
        waiting = [box.fd for box in targets.values() if box.waiting()]
        ready, writable, _ = select.select(list(targets), waiting, [], 0.5)
        for fd in ready:
            data = os.read(fd, 65536)
            targets[fd].add(data)
            targets[fd].flush()
            if not data:
                targets[fd].closing = True
                targets[fd].flush()
                del targets[fd]
        for box in targets.values():
            if box.fd in writable:
                box.flush()
    status = wire.exit_status(_ended(pid, 0) or 0 if ended is None else ended)
    with sim.locked(f"containers-{sim.here}") as containers:
        if args["remove"]:
            containers.pop(args["name"], None)
        else:
            containers[args["name"]].update(state="exited", status=status)
    return status


def _ended(pid: int, options: int) -> int | None:
    """The wait status of a container's first process once it has ended, which all others do with it."""
    found, status = os.waitpid(pid, options)
    if not found:
        return None
    rootfs.end_namespaces()
    return status


def run(sim: Sim, args: dict[str, Any], fds: list[int]) -> int:
    """The daemon's child for one container, already on the node."""
    kernel.prctl(kernel.PR_SET_NAME, b"sim-engine")
    return _serve(sim, args, fds)


def fork_conmon(sim: Sim, args: dict[str, Any], far: tuple[int, int, int]) -> socket.socket:
    """podman's way: a process that detaches itself from the client; its exit comes over the socket."""
    ours, theirs = socket.socketpair()
    middle = os.fork()
    if middle == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        for fd in range(3, 256):
            if fd not in (*far, theirs.fileno()):
                try:
                    os.close(fd)
                except OSError:
                    continue
        null = os.open("/dev/null", os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        kernel.prctl(kernel.PR_SET_NAME, b"sim-conmon")
        status = _serve(sim, args, list(far))
        try:
            wire.send(theirs, {"exit": status})
        finally:
            os._exit(0)
    os.waitpid(middle, 0)
    theirs.close()
    return ours


def signal_container(sim: Sim, name: str, number: int) -> bool:
    """Signal a container's first process."""
    for key, entry in sim.peek(f"containers-{sim.here}").items():
        if name in (key, entry["id"], entry["id"][:12]) and entry.get("state") == "running":
            kernel.signal_all([entry["pid"]], number)
            return True
    return False


def _stop(sim: Sim, words: list[str], number: int) -> int:
    status = 0
    for name in words:
        if not signal_container(sim, name, number):
            print(f"Error response from daemon: No such container: {name}", file=sys.stderr)
            status = 1
        else:
            print(name)
    return status


def _exec(sim: Sim, program: str, words: list[str]) -> int:
    """`exec CONTAINER COMMAND…`: the command takes this process's place, with the container's variables."""
    parsed = Table(f"{program} exec", "i/interactive t/tty e/env= w/workdir= u/user= privileged").parse(words)
    name, *argv = parsed.words or [""]
    running = sim.peek(f"containers-{sim.here}").items()
    found = [entry for key, entry in running if name in (key, entry["id"], entry["id"][:12]) and "pid" in entry]
    if not found or not argv:
        raise RefusedError(f"Error response from daemon: No such container: {name}", 1)
    env = {**found[0]["env"], **dict(text.partition("=")[::2] for text in parsed.options.get("env", []))}
    way = [] if rootfs.below() else ["nsenter", f"--target={found[0]['pid']}", "--mount", "--pid", "--wd"]
    os.execvpe((way or argv)[0], [*way, *argv], env)


def command(sim: Sim, program: str, words: list[str]) -> int:
    """Everything but `run`."""
    name, rest = (words[0] if words else ""), words[1:]
    if name in ("kill", "stop"):
        parsed = Table(f"{program} {name}", "s/signal= t/time|timeout=").parse(rest)
        text = (parsed.last("signal") or "KILL").removeprefix("SIG")
        return _stop(sim, parsed.words, int(text) if text.isdecimal() else int(getattr(signal, "SIG" + text)))
    if name == "rm":
        parsed = Table(f"{program} rm", "f/force v/volumes").parse(rest)
        for item in parsed.words:
            running = signal_container(sim, item, signal.SIGKILL) if parsed.has("force") else False
            with sim.locked(f"containers-{sim.here}") as containers:
                if not running and containers.get(item, {}).get("state") == "running":
                    raise RefusedError(f"Error response from daemon: cannot remove a running container {item}", 1)
                containers.pop(item, None)
        return 0
    if name == "exec":
        return _exec(sim, program, rest)
    if name == "ps":
        parsed = Table(f"{program} ps", "a/all q/quiet f/filter= format= no-trunc").parse(rest)
        wanted = [text.partition("=")[2] for text in parsed.options.get("filter", []) if text.startswith("name=")]
        for key, entry in sim.peek(f"containers-{sim.here}").items():
            named = all(re.search(pattern, key) for pattern in wanted)
            if named and (parsed.has("all") or entry["state"] == "running"):
                print(entry["id"][:12] if parsed.has("quiet") else key)
        return 0
    if name in ("pull", "info", "version"):
        if name == "pull":
            rootfs.check_image(sim, Table(f"{program} pull", "q/quiet platform=").parse(rest).words[-1])
        asked = Table(f"{program} {name}", "f/format=").parse(rest).last("format") if name == "info" else None
        print("crun" if asked == "{{.Host.OCIRuntime.Name}}" else json.dumps({"ServerVersion": "28.5.2"}))
        return 0
    if words[:2] in (["image", "inspect"], ["image", "exists"]):
        parsed = Table(f"{program} image", "f/format=").parse(words[2:])
        rootfs.check_image(sim, parsed.words[-1])
        print(sim.config["image"].get("inspect", "[]"))
        return 0
    raise RefusedError(f"{program}: '{name}' is not a {program} command.\nSee '{program} --help'", 1)
