"""`docker` and `podman` clients (and `enter-image`, a command prefix as sites have them)."""

import os
import select
import signal
import socket
import sys
from typing import Any

from simlib import docker_options, engine, rootfs, wire
from simlib.options import Parsed, RefusedError, Table
from simlib.place import Sim

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


def _plan(sim: Sim, program: str, parsed: Parsed) -> dict[str, Any]:
    if not parsed.words:
        raise RefusedError(f'"{program} run" requires at least 1 argument.', 125)
    if parsed.has("rm") and (parsed.last("restart") or "no") != "no":
        raise RefusedError("conflicting options: cannot specify both --restart and --rm", 125)
    rootfs.check_image(sim, parsed.words[0])
    docker_options.check_ulimits(parsed)
    gpu_files, gpu_env = docker_options.gpus(sim, parsed)
    command = parsed.words[1:] or sim.config["image"].get("command", ["bash"])
    entry = parsed.last("entrypoint")
    entrypoint = sim.config["image"].get("entrypoint", []) if entry is None else [entry] if entry else []
    env = docker_options.environment(sim, parsed, gpu_env)
    files = gpu_files + docker_options.device_files(parsed, sim.config["vendor"])
    if any(name.startswith("/dev/nvidia") for name in files):
        env["PATH"] = f"{sim.root}/gpubin:" + env["PATH"]
    if sim.config["plain"]:
        env["SIM_SHM"] = docker_options.shm(parsed)
    return {
        "id": os.urandom(32).hex(),
        "name": parsed.last("name") or "random_" + os.urandom(4).hex(),
        "program": program,
        "image": parsed.words[0],
        "argv": [*entrypoint, *command],
        "env": env,
        "mounts": [mount._asdict() for mount in docker_options.mounts(parsed)],
        "devices": files,
        "shm": docker_options.shm(parsed),
        "init": parsed.has("init"),
        "host_pid": parsed.last("pid") == "host",
        "remove": parsed.has("rm"),
        "workdir": parsed.last("workdir") or sim.config["image"].get("workdir", "/"),
        "user": parsed.last("user") or "",
        "read_only": parsed.has("read-only"),
        "host_network": parsed.last("network") == "host",
        "labels": parsed.options.get("label", []),
        "options": parsed.options,
    }


def _attach(sim: Sim, plan: dict[str, Any], *, interactive: bool, detached: bool) -> int:
    """Start the container in the engine; copy streams until it ends; pass signals on."""
    stdin_read, stdin_write = os.pipe()
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    far = (stdin_read, out_write, err_write)
    if plan["program"] == "podman":
        sock = engine.fork_conmon(sim, plan, far)
    else:
        sock = wire.ask_lab(str(sim.root), {"do": "call", "function": "engine", "node": sim.here, "args": plan}, far)
        wire.receive(sock)
    for fd in far:
        os.close(fd)
    if detached:
        print(plan["id"])
        return 0
    for number in SIGNALS:
        signal.signal(number, lambda received, _frame: engine.signal_container(sim, plan["name"], received))
    if not interactive:
        os.close(stdin_write)
    return _copy(sock, {out_read: 1, err_read: 2}, stdin_write if interactive else None)


def _copy(sock: socket.socket, outputs: dict[int, int], stdin: int | None) -> int:
    status: int | None = None
    while status is None or outputs:
        watched = [*outputs] + ([] if status is not None else [sock.fileno()]) + ([0] if stdin is not None else [])
        ready, _, _ = select.select(watched, [], [], 1)
        for fd in ready:
            if fd == sock.fileno():
                try:
                    status = wire.receive(sock)[0]["exit"]
                except EOFError:
                    status = 137
                continue
            data = os.read(fd, 65536)
            if fd == 0 and stdin is not None:
                try:
                    os.write(stdin, data)
                except OSError:
                    data = b""
                if not data:
                    os.close(stdin)
                    stdin = None
            elif data:
                os.write(outputs[fd], data)
            else:
                os.close(fd)
                del outputs[fd]
    return status


def _run(sim: Sim, program: str, argv: list[str]) -> int:
    table = Table(f"{program} run", docker_options.RUN + (docker_options.PODMAN if program == "podman" else ""))
    parsed = table.parse(argv)
    plan = _plan(sim, program, parsed)
    if parsed.has("tty") and not os.isatty(0):
        raise RefusedError("the input device is not a TTY", 1)
    with sim.locked(f"containers-{sim.here}") as containers:
        if plan["name"] in containers:
            raise RefusedError(
                f'docker: Error response from daemon: Conflict. The container name "/{plan["name"]}" is already in use by container "{containers[plan["name"]]["id"]}".',
                125,
            )
        containers[plan["name"]] = {
            "id": plan["id"],
            "state": "created",
            "image": plan["image"],
            "labels": plan["labels"],
            "env": plan["env"],
        }
    sim.record(
        "container",
        runtime=program,
        **{key: value for key, value in plan.items() if key != "program"},
        pid=os.getpid(),
    )
    return _attach(sim, plan, interactive=parsed.has("interactive"), detached=parsed.has("detach"))


def main(root: str) -> int:
    """Run `docker` or `podman`."""
    sim = Sim(root)
    program = os.path.basename(sys.argv[0])
    top = Table(program, "config= c/context= D/debug H/host= l/log-level= v/version root= runroot= storage-opt=").parse(
        sys.argv[1:]
    )
    sim.record_call(program, sys.argv[1:])
    if top.has("version"):
        print(f"{program} version {'28.5.2' if program == 'docker' else '4.3.1'}")
        return 0
    if program == "docker" and sim.fault("no_docker"):
        raise RefusedError(
            "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", 1
        )
    command, rest = top.words[:1], top.words[1:]
    if command == ["run"]:
        return _run(sim, program, rest)
    return engine.command(sim, program, top.words)


def prefix(root: str) -> int:
    """`enter-image --image=REF COMMAND…`: the host's environment, home, /tmp and working directory; the image's PATH."""
    sim = Sim(root)
    parsed = Table("enter-image", "image= V/volume= e/env= module=").parse(sys.argv[1:])
    if not parsed.words:
        raise RefusedError("enter-image: a command is needed", 2)
    rootfs.check_image(sim, parsed.last("image") or "")
    env = {os.fsdecode(k): os.fsdecode(v) for k, v in os.environb.items()}
    env.update(rootfs.image_env(sim))
    if sim.node()["gpus"]:
        env["PATH"] = f"{sim.root}/gpubin:" + env["PATH"]
    env.update(dict(item.split("=", 1) for item in parsed.options.get("env", [])))
    cwd = os.getcwd()
    mounts = [
        rootfs.Mount(path, path)
        for path in dict.fromkeys((env.get("HOME", "/root"), "/tmp", cwd))
        if os.path.isdir(path)
    ]
    mounts += [rootfs.parse_mount(value) for value in parsed.options.get("volume", [])]
    sim.record(
        "container",
        runtime="prefix",
        image=parsed.last("image"),
        env=env,
        mounts=[mount._asdict() for mount in mounts],
        options=parsed.options,
        argv=parsed.words,
        pid=os.getpid(),
    )
    rootfs.own_namespaces(pid=False)
    rootfs.enter(sim, rootfs.Root(mounts=mounts))
    os.chdir(cwd)
    os.environ["PATH"] = env["PATH"]
    try:
        os.execvpe(parsed.words[0], parsed.words, env)
    except OSError as error:
        raise RefusedError(f"enter-image: {parsed.words[0]}: {error.strerror}", 127) from error
